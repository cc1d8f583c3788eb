import type { Carried, Operation, Read } from '../../history/operation.ts';
import { push } from '../../spec/groups.ts';

/** Of a chapter so much of its end is judged with the next one, too: what lies so near is held together whatever the cut. */
const overlap = 1 / 4;
/** Of each stream so many older pages are kept, and of all together so many, which show so many items at most. */
const mostOfStream = 6;
const mostPages = 1_000;
const mostItems = 20_000;

/** What a chapter begins with. */
interface CarriedOperations extends Pick<Carried, 'older'> {
  readonly operations: readonly Operation[];
}

/**
 * What of the operations so far the next chapter begins with: the last quarter as it was, and of each stream a few older pages, the older
 * the fewer, so that a message that changes or a number that is given again after hours is still held against what was shown. Older
 * sends are not needed: a message is known by the answer to its send, and one whose send is not there is one of others.
 */
export function carriedOf(operations: readonly Operation[]): CarriedOperations {
  const from = Math.floor(operations.length * (1 - overlap));
  const recent = operations.slice(from);
  let items = recent.reduce((sum, each) => sum + itemsOf(each), 0);
  const kept = new Set<Operation>();
  const streams = new Map<string, Read[]>();
  for (const each of operations.slice(0, from))
    if (each.kind === 'read' && each.outcome === 'accepted' && each.items.length > 0)
      push(streams, each.stream, each);
  for (const own of streams.values())
    for (const read of thinned(own)) {
      items += itemsOf(read);
      if (items > mostItems || kept.size >= mostPages) break;
      kept.add(read);
    }
  const older = operations.slice(0, from).filter((each) => kept.has(each));
  return { operations: [...older, ...recent], older: older.length };
}

/** The first, the last, and between them ever closer to the end. */
function thinned(reads: readonly Read[]): readonly Read[] {
  if (reads.length <= mostOfStream) return reads;
  const places = Array.from({ length: mostOfStream - 1 }, (_, step) => reads.length - 2 ** step);
  return [reads[0], ...places.toReversed().map((place) => reads[Math.max(1, place)])].filter(
    (read, at, all): read is Read => read !== undefined && all.indexOf(read) === at,
  );
}

function itemsOf(operation: Operation): number {
  return operation.kind === 'read' ? operation.items.length : 0;
}
