import { markerRoot, pageRoot } from '../../history/anomalies/findings.ts';
import type { Operation, Read } from '../../history/operation.ts';
import type { Exchange, ReceivedResponse } from '../client/exchange.ts';
import type { PageOutline } from '../client/page-outline.ts';

/** A longer body is left out: findings show what a page held by its sequences. */
const longestKept = 16_000;
const noBytes = new Uint8Array();

interface Kept {
  readonly exchange: Exchange;
  /** Length of a body that was left out. */
  readonly leftOut?: number;
}

/** The exchanges behind the operations of a run, so that a finding can show them. */
export class KeptExchanges {
  readonly #exchanges = new Map<number, Kept>();
  readonly #names = new Map<number, string>();

  add(operation: Operation, exchange: Exchange): void {
    const { index } = operation;
    const name = nameOf(operation);
    if (name !== undefined) this.#names.set(exchange.id, name);
    const { response } = exchange;
    const length = response?.bytes.byteLength ?? 0;
    const kept = withoutLongBody(exchange);
    this.#exchanges.set(index, kept === exchange ? { exchange } : { exchange: kept, leftOut: length });
  }

  /** What judges call the page or the message of an exchange. */
  namesOf({ id }: Exchange): readonly string[] {
    const name = this.#names.get(id);
    return name === undefined ? [] : [name];
  }

  /** Those of the given operations, in their order; calls of hooks have none. */
  of(operations: readonly Operation[]): readonly Exchange[] {
    return operations.flatMap((operation) => {
      const kept = this.#exchanges.get(operation.index);
      return kept === undefined ? [] : [withOutline(kept, operation)];
    });
  }
}

/** An exchange of which nobody needs the body of the answer, without that where it is long. */
export function withoutLongBody(exchange: Exchange): Exchange {
  const { response } = exchange;
  return response === undefined || response.bytes.byteLength <= longestKept
    ? exchange
    : { ...exchange, response: withoutBody(response) };
}

/** A page or a message, as judges call what they find broken. */
function nameOf(operation: Operation): string | undefined {
  if (operation.kind === 'read') return pageRoot(operation);
  const marker = operation.kind === 'send' ? operation.content?.marker : undefined;
  return marker === undefined ? undefined : markerRoot(marker);
}

/** What is left of an answer whose body nobody needs. */
export function withoutBody(response: ReceivedResponse): ReceivedResponse {
  return { ...response, bytes: noBytes, json: undefined };
}

/** A page that was left out is told by what the history has of it. */
function withOutline({ exchange, leftOut }: Kept, operation: Operation): Exchange {
  const { response } = exchange;
  if (response === undefined || leftOut === undefined || operation.kind !== 'read') return exchange;
  return {
    ...exchange,
    response: { ...response, leftOut: { bytes: leftOut, outline: outlineOf(operation) } },
  };
}

function outlineOf({ call, items, nextAfter, hasMore, highWatermark }: Read): PageOutline {
  return {
    list: call === 'mentions' ? 'mentions' : 'messages',
    sequences: items.map(({ sequence }) => sequence),
    page: { next_after: nextAfter, has_more: hasMore, high_watermark: highWatermark },
  };
}
