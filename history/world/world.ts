import type { History, Read, Send } from '../operation.ts';

/** What a history makes known, from acknowledgements and answers alone. Made once, read by every judge. */
export interface World {
  readonly history: History;
  /** Attempts to send, by the marker of their content; several where a send was repeated. */
  readonly sendsByMarker: ReadonlyMap<string, readonly Send[]>;
  /** Accepted baseline reads of each stream, in the order of their ends. */
  readonly readsOf: ReadonlyMap<string, readonly Read[]>;
}

/** Learns what a history makes known. */
export function worldOf(history: History): World {
  const sendsByMarker = new Map<string, Send[]>();
  const readsOf = new Map<string, Read[]>();
  for (const operation of history.operations) {
    if (operation.kind === 'send') {
      const marker = operation.content?.marker;
      if (marker !== undefined) push(sendsByMarker, marker, operation);
    } else if (operation.kind === 'read' && operation.outcome === 'accepted') {
      push(readsOf, operation.stream, operation);
    }
  }
  return { history, sendsByMarker, readsOf };
}

function push<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
