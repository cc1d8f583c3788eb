import { judgeEach } from './judgement.ts';
import type { Judgement } from './judgement.ts';
import { reachOf, sequencesOf } from './read-page.ts';
import type { ReadPage, TimedPage } from './read-page.ts';

/** The same cursor, handed out this often in a row and for longer than the settle time, is handed out for ever. */
export const stallsForEver = 5;

/**
 * `next_after` is not smaller than any sequence of its page. A page that stalls, {@link judgeNextPassesTheCursor}, is
 * left to that rule: its cursor did not fall behind, it never moved.
 */
export function judgeNextNotBehindItems(pages: readonly ReadPage[]): Judgement {
  const judgeable = pages.filter(
    (page) => page.items.length > 0 && page.nextAfter !== undefined && !isStalled(page),
  );
  return judgeEach(judgeable, ({ items, nextAfter }) => {
    const last = highest(sequencesOf(items));
    return nextAfter === undefined || last === undefined || nextAfter >= last
      ? undefined
      : {
          expected: `next_after of at least ${last}, the last item's sequence`,
          actual: `next_after ${nextAfter}`,
        };
  });
}

/**
 * A page with items that announces more moves on from the cursor it was asked with. Read pages of three items or so: on
 * a page of one, a cursor that is one behind looks the same. Pages with an item at or below the cursor are left out.
 */
export function judgeNextPassesTheCursor(pages: readonly ReadPage[]): Judgement {
  const judgeable = pages.filter((page) => announcesMore(page) && page.nextAfter !== undefined);
  return judgeEach(judgeable, (page) =>
    isStalled(page)
      ? {
          expected: `next_after beyond ${String(page.after)}`,
          actual: `next_after ${String(page.nextAfter)} with has_more true`,
        }
      : undefined,
  );
}

/**
 * A chain of pages, each asked with the cursor of the one before, does not come to stand still on pages without items
 * that announce more: {@link stallsForEver} in a row are too many, when the last was read more than `settleMs` after the
 * first. Every other page that announces more is one comparison.
 */
export function judgeEmptyPagesMoveOn(chain: readonly TimedPage[], settleMs = 0): Judgement {
  const announcing = chain.filter(({ hasMore }) => hasMore === true);
  let stalled: TimedPage[] = [];
  for (const page of announcing) {
    stalled = isEmptyAndStill(page) ? [...stalled, page] : [];
    const [first] = stalled;
    if (
      first !== undefined &&
      stalled.length >= stallsForEver &&
      page.exchange.startedMs > first.exchange.endedMs + settleMs
    ) {
      const expected = `pages without items to move on from ${String(page.after)} while has_more is true`;
      const actual = `next_after ${String(page.nextAfter)} ${stalled.length} times in a row`;
      return { judged: announcing.length, problems: [{ expected, actual }] };
    }
  }
  return { judged: announcing.filter((page) => !isEmptyAndStill(page)).length, problems: [] };
}

/** A page without items that announces more and hands the same cursor out again. */
export function isEmptyAndStill({ items, after, nextAfter, hasMore }: ReadPage): boolean {
  return (
    hasMore === true &&
    items.length === 0 &&
    nextAfter !== undefined &&
    after !== undefined &&
    nextAfter <= after
  );
}

/**
 * A page without items, asked with a cursor that the stream issued, does not hand out a smaller one. A replica may lag:
 * only a fall in every such page convicts, when the last one was read more than `settleMs` after the first. A page that
 * does not fall is judged at once.
 */
export function judgeNextNeverFallsBack(pages: readonly TimedPage[], settleMs = 0): Judgement {
  const empty = pages.filter(
    ({ items, after, nextAfter }) => items.length === 0 && after !== undefined && nextAfter !== undefined,
  );
  const falls = empty.filter(({ after, nextAfter }) => (nextAfter ?? 0n) < (after ?? 0n));
  const kept = { judged: empty.length - falls.length, problems: [] };
  const [first] = falls;
  const last = falls.at(-1);
  if (first === undefined || last === undefined || kept.judged > 0) return kept;
  if (last.exchange.startedMs <= first.exchange.endedMs + settleMs) return kept;
  return {
    judged: falls.length,
    problems: [
      {
        expected: `next_after of at least ${String(first.after)}`,
        actual: `next_after ${String(first.nextAfter)}`,
      },
    ],
  };
}

/** Neither an item nor `next_after` lies above the watermark of its page. An inferred rule. */
export function judgeWatermarkCoversThePage(pages: readonly ReadPage[]): Judgement {
  const judgeable = pages.filter((page) => page.highWatermark !== undefined && reachOf(page) !== undefined);
  return judgeEach(judgeable, (page) => {
    const reach = reachOf(page);
    return reach === undefined || page.highWatermark === undefined || reach <= page.highWatermark
      ? undefined
      : { expected: `nothing above high_watermark ${page.highWatermark}`, actual: `${reach} on its page` };
  });
}

/**
 * A watermark is not lower than one read before. What fell may come from a replica that lags: it convicts only more than
 * `settleMs` after the higher one. An inferred rule.
 */
export function judgeWatermarkNeverFalls(pages: readonly TimedPage[], settleMs: number): Judgement {
  const marks = pages.flatMap(({ highWatermark: mark, exchange }) =>
    mark === undefined ? [] : [{ mark, startedMs: exchange.startedMs, endedMs: exchange.endedMs }],
  );
  const highestBefore = highestOfThoseEndedBefore(marks);
  const compared = marks.flatMap(({ mark, startedMs }) => {
    const settled = highestBefore(startedMs - settleMs);
    if (settled !== undefined && mark < settled) return [{ mark, floor: settled }];
    const floor = highestBefore(startedMs);
    return floor === undefined || mark < floor ? [] : [{ mark, floor }];
  });
  return judgeEach(compared, ({ mark, floor }) =>
    mark < floor
      ? { expected: `high_watermark of at least ${floor} as before`, actual: `high_watermark ${mark}` }
      : undefined,
  );
}

/** Answers what the highest mark was of all reads that had ended before a time. */
function highestOfThoseEndedBefore(
  marks: readonly { readonly mark: bigint; readonly endedMs: number }[],
): (beforeMs: number) => bigint | undefined {
  const rising: { endedMs: number; mark: bigint }[] = [];
  for (const { mark, endedMs } of marks.toSorted((left, right) => left.endedMs - right.endedMs)) {
    const top = rising.at(-1)?.mark ?? 0n;
    rising.push({ endedMs, mark: mark > top ? mark : top });
  }
  return (beforeMs) => rising[countWhile(rising, ({ endedMs }) => endedMs < beforeMs) - 1]?.mark;
}

/** How many values from the first on satisfy a condition that, once broken, stays broken. */
function countWhile<T>(values: readonly T[], holds: (value: T) => boolean): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const value = values[middle];
    if (value !== undefined && holds(value)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A page with items, all above its cursor, that announces more. */
function announcesMore({ after, items, hasMore }: ReadPage): boolean {
  const sequences = sequencesOf(items);
  return (
    hasMore === true &&
    after !== undefined &&
    sequences.length > 0 &&
    sequences.every((sequence) => sequence > after)
  );
}

function isStalled(page: ReadPage): boolean {
  return (
    announcesMore(page) &&
    page.nextAfter !== undefined &&
    page.after !== undefined &&
    page.nextAfter <= page.after
  );
}

function highest(sequences: readonly bigint[]): bigint | undefined {
  return sequences.reduce<bigint | undefined>(
    (top, each) => (top === undefined || each > top ? each : top),
    undefined,
  );
}
