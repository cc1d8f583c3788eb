import type { Read } from '../operation.ts';
import type { Sequence } from '../sequence.ts';

/** The `limit` of a listing of mentions that was asked for without one. */
export const defaultLimit = 50;

/** The sequence of the first item that has one. */
export function firstOf({ items }: Read): Sequence | undefined {
  return items.find(({ sequence }) => sequence !== undefined)?.sequence;
}

/** The highest sequence on a page. */
export function topOf({ items }: Read): Sequence | undefined {
  let top: Sequence | undefined;
  for (const { sequence } of items)
    if (sequence !== undefined && (top === undefined || sequence > top)) top = sequence;
  return top;
}

/** How far a page reaches: its highest sequence, its next cursor or the one it was asked with, whichever lies furthest. */
export function reachOf(read: Read): Sequence {
  return [topOf(read), read.nextAfter, read.after].reduce<Sequence>(
    (reach, each) => (each !== undefined && each > reach ? each : reach),
    0,
  );
}

/** A read as a report names it. */
export function inWords({ call, after, limit, wait, stream }: Read): string {
  const what = call === 'mentions' ? `mentions of ${stream.slice('feed '.length)}` : stream;
  const query = [
    after === undefined ? 'without a cursor' : `after ${after}`,
    ...(limit === undefined ? [] : [`limit ${limit}`]),
    ...(wait === undefined ? [] : [`wait ${wait}`]),
  ];
  return `${what}, ${query.join(', ')}`;
}
