import type { Read } from '../operation.ts';
import type { Sequence } from '../sequence.ts';
import type { Place } from './sight.ts';

/** The `limit` of a listing of mentions that was asked for without one. */
export const defaultLimit = 50;

/** One accepted read, and where what it shows stands. */
export interface Page {
  readonly read: Read;
  /** Of the items that have a sequence and an id, in their order. */
  readonly places: readonly Place[];
  /** The sequence of the first item that has one. */
  readonly first: Sequence | undefined;
  /** The highest sequence on it. */
  readonly top: Sequence | undefined;
  /** How far it reaches: its highest sequence, its next cursor or the one it was asked with, whichever lies furthest. */
  readonly reach: Sequence;
  /** Each item has a sequence, above the one before it. */
  readonly isRising: boolean;
}

/** A page of these places. */
export function pageOf(read: Read, places: readonly Place[]): Page {
  const { items, nextAfter, after } = read;
  let first: Sequence | undefined;
  let top: Sequence | undefined;
  let before: Sequence | undefined;
  let isRising = true;
  for (const { sequence } of items) {
    if (sequence === undefined) {
      isRising = false;
      continue;
    }
    first ??= sequence;
    if (before !== undefined && sequence <= before) isRising = false;
    if (top === undefined || sequence > top) top = sequence;
    before = sequence;
  }
  let reach: Sequence = top ?? 0;
  if (nextAfter !== undefined && nextAfter > reach) reach = nextAfter;
  if (after !== undefined && after > reach) reach = after;
  return { read, places, first, top, reach, isRising };
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
