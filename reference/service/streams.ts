import type { MentionTarget } from '../../spec/generated/types.ts';
import type { Entry, StreamName } from '../model/page-facts.ts';
import type { Agent } from '../model/principals.ts';
import type { Rules } from '../rules/rules.ts';
import type { Store } from '../store/store.ts';
import type { Stream } from './read-page.ts';

/** Entries fetched at a time once a read turns out to need more than it expected. */
const widerChunk = 200;

/** What a history is of, and how far it and the events of its workspace go. */
type StreamBounds = Pick<Stream, 'id' | 'end' | 'lastEvent'>;

/** The history of one channel. */
export function channelStream(store: Store, bounds: StreamBounds): Stream {
  const { id: channelId } = bounds;
  return {
    ...bounds,
    name: 'channel',
    ascending: (from, expected) =>
      entriesOf(store, 'ascending', { stream: 'channel', key: channelId }, from, expected),
    descending: (from, expected) =>
      entriesOf(store, 'descending', { stream: 'channel', key: channelId }, from, expected),
  };
}

/** The mentions of any of `targets`, merged into one order, each once. */
export function mentionStream(
  store: Store,
  rules: Rules,
  targets: readonly string[],
  bounds: StreamBounds,
): Stream {
  const merged = (
    sources: Iterable<Entry>[],
    isBefore: (left: Entry, right: Entry) => boolean,
  ): Iterable<Entry> => withoutRepeats(mergeStreams(sources, isBefore), rules.isSameMention);
  return {
    ...bounds,
    name: 'mentions',
    ascending: (from, expected) =>
      merged(
        targets.map((target) =>
          entriesOf(store, 'ascending', { stream: 'mentions', key: target }, from, expected),
        ),
        (left, right) => left.sequence < right.sequence,
      ),
    descending: (from, expected) =>
      merged(
        targets.map((target) =>
          entriesOf(store, 'descending', { stream: 'mentions', key: target }, from, expected),
        ),
        (left, right) => left.sequence > right.sequence,
      ),
  };
}

/** As many entries as are expected, from a sequence on, itself included, then more at a time. */
function* entriesOf(
  { messages }: Store,
  direction: 'ascending' | 'descending',
  { stream, key }: { readonly stream: StreamName; readonly key: string },
  from: bigint,
  expected: number,
): Generator<Entry> {
  const step = direction === 'ascending' ? 1n : -1n;
  for (let next = from, count = expected; ; count = widerChunk) {
    const chunk = messages[direction](stream, key, next, count);
    yield* chunk;
    const last = chunk.at(-1);
    if (!last || chunk.length < count) return;
    next = last.sequence + step;
  }
}

function* mergeStreams(
  sources: Iterable<Entry>[],
  isBefore: (left: Entry, right: Entry) => boolean,
): Generator<Entry> {
  const heads = sources
    .map((source) => source[Symbol.iterator]())
    .map((rest) => ({ rest, entry: takeEntry(rest) }));
  for (;;) {
    let first: (typeof heads)[number] | undefined;
    for (const head of heads) {
      if (head.entry && (!first?.entry || isBefore(head.entry, first.entry))) first = head;
    }
    if (!first?.entry) return;
    yield first.entry;
    first.entry = takeEntry(first.rest);
  }
}

function takeEntry(source: Iterator<Entry>): Entry | undefined {
  const next = source.next();
  return next.done === true ? undefined : next.value;
}

function* withoutRepeats(
  source: Iterable<Entry>,
  isSame: (left: Entry, right: Entry) => boolean,
): Generator<Entry> {
  let last: Entry | undefined;
  for (const entry of source) {
    if (!last || !isSame(last, entry)) yield entry;
    last = entry;
  }
}

/** Key under which the mentions of a target are listed. */
export function targetKey({ kind, id }: MentionTarget): string {
  return `${kind} ${id}`;
}

/** Key under which a workspace's messages that mention nobody are listed. */
export function broadcastKey(workspaceId: string): string {
  return `broadcast ${workspaceId}`;
}

/** The keys whose mentions reach a reader. */
export function targetsOf(rules: Rules, reader: Agent): string[] {
  const agentId = rules.agentTargetOf(reader);
  const userId = rules.userTargetOf(reader);
  const machineId = rules.machineTargetOf(reader);
  return [
    ...(agentId === null ? [] : [targetKey({ kind: 'agent', id: agentId })]),
    ...(userId === null ? [] : [targetKey({ kind: 'user', id: userId })]),
    ...(machineId === null ? [] : [targetKey({ kind: 'machine', id: machineId })]),
    ...(rules.broadcastsReach(reader) ? [broadcastKey(reader.workspaceId)] : []),
  ];
}
