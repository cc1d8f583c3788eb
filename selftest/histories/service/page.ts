import type { Sequence } from '../../../history/sequence.ts';
import type { Choices } from '../choices/choices.ts';
import type { Agent } from './directory.ts';
import type { Stored } from './stream.ts';

/** What a reader asks for. */
export interface Question {
  readonly call: 'channel-read' | 'mentions';
  readonly agent: Agent;
  /** `channel ID` or `feed ID`. */
  readonly stream: string;
  readonly after: Sequence | undefined;
  readonly limit: number | undefined;
  readonly wait: number | undefined;
}

/** A number of a stream as one read finds it; nothing stands where retention took it away, or where it is not for the reader. */
export interface Spot {
  readonly sequence: Sequence;
  readonly stored: Stored | undefined;
  /** Something stood there. */
  readonly isGone: boolean;
}

/** A spot at which something stands. */
export interface Filled extends Spot {
  readonly stored: Stored;
}

export interface Page {
  readonly items: readonly Filled[];
  readonly nextAfter: Sequence;
  readonly hasMore: boolean;
  readonly highWatermark: Sequence;
}

/** True where something stands. */
export function isFilled(spot: Spot): spot is Filled {
  return spot.stored !== undefined;
}

/** The number of the last spot, 0 in an empty stream. */
export function endOf(spots: readonly Spot[]): Sequence {
  return spots.at(-1)?.sequence ?? 0;
}

/** The page that answers a question about a stream as it stands; `undefined` for a conflict with the cursor. */
export function pageOf(
  spots: readonly Spot[],
  question: Question,
  choices: Choices['page'],
  highWatermark: Sequence,
): Page | undefined {
  const { call, after, limit = call === 'mentions' ? 50 : choices.defaultOfChannel } = question;
  const isNewest = after === undefined && (call === 'mentions' || choices.omittedOnChannel === 'newest');
  if (isNewest) return { ...newestPage(spots, limit, choices), highWatermark };
  const from = after ?? 0;
  const end = endOf(spots);
  if (from > end) {
    if (choices.beyond === 'conflict' && from > 0) return undefined;
    const nextAfter = choices.beyond === 'clamped' ? end : from;
    return { items: [], nextAfter, hasMore: false, highWatermark };
  }
  if (choices.belowRetained === 'conflict' && isBelowRetained(spots, from)) return undefined;
  return { ...forwardPage(spots, from, limit, choices), highWatermark };
}

type Cut = Omit<Page, 'highWatermark'>;

function newestPage(spots: readonly Spot[], limit: number, choices: Choices['page']): Cut {
  const matching = spots.filter(isFilled);
  const newest = matching.slice(-limit);
  const keepsOlder = choices.newestKeeps === 'older';
  const kept = withinBytes(keepsOlder ? newest : newest.toReversed(), choices.byteCap);
  const items = keepsOlder ? kept : kept.toReversed();
  const last = items.at(-1);
  const isCutBefore = items[0] !== matching[0];
  const isCutAfter = last !== newest.at(-1);
  const end = choices.next === 'last-item' && choices.nextOfEmpty === 'echo' ? 0 : endOf(spots);
  const nextAfter = last === undefined ? end : isCutAfter ? last.sequence : pastItems(spots, last, choices);
  return { items, nextAfter, hasMore: isCutAfter || (choices.moreOnNewest && isCutBefore) };
}

function pastItems(spots: readonly Spot[], last: Spot, { next }: Choices['page']): Sequence {
  return next === 'last-item' ? last.sequence : endOf(spots);
}

function forwardPage(spots: readonly Spot[], after: Sequence, limit: number, choices: Choices['page']): Cut {
  const ahead = spots.filter(({ sequence }) => sequence > after);
  const items: Filled[] = [];
  let [bytes, scanned, passed, isCut] = [0, 0, after, false];
  for (const spot of ahead) {
    if (items.length === limit || scanned === choices.scan) isCut = true;
    if (isFilled(spot)) {
      bytes += spot.stored.bytes;
      if (items.length > 0 && bytes > choices.byteCap) isCut = true;
    }
    if (isCut) break;
    scanned += 1;
    passed = spot.sequence;
    if (isFilled(spot)) items.push(spot);
  }
  const isFull = items.length === limit;
  const remains = ahead.some((spot) => spot.sequence > passed && isFilled(spot));
  const hasMore = choices.moreWhenFull ? isCut || isFull : remains;
  return {
    items,
    nextAfter: nextOf({ items, after, passed, isCut, hasMore }, choices, endOf(spots)),
    hasMore,
  };
}

interface Passed {
  readonly items: readonly Filled[];
  readonly after: Sequence;
  /** The last number looked at. */
  readonly passed: Sequence;
  readonly isCut: boolean;
  readonly hasMore: boolean;
}

function nextOf(
  { items, after, passed, isCut, hasMore }: Passed,
  choices: Choices['page'],
  end: Sequence,
): Sequence {
  const last = items.at(-1);
  if (last === undefined) return hasMore ? passed : choices.nextOfEmpty === 'echo' ? after : end;
  if (choices.next === 'last-item') return last.sequence;
  return choices.next === 'watermark' && !isCut ? end : passed;
}

/** At least one, however large it is. */
function withinBytes(items: readonly Filled[], cap: number): readonly Filled[] {
  let bytes = 0;
  const over = items.findIndex(({ stored }, index) => {
    bytes += stored.bytes;
    return index > 0 && bytes > cap;
  });
  return over < 0 ? items : items.slice(0, over);
}

/** Something above the cursor is gone, and what is left begins after it. */
function isBelowRetained(spots: readonly Spot[], after: Sequence): boolean {
  if (after === 0) return false;
  const first = spots.find(isFilled);
  return (
    first !== undefined &&
    first.sequence > after &&
    spots.some((spot) => spot.isGone && spot.sequence > after && spot.sequence < first.sequence)
  );
}
