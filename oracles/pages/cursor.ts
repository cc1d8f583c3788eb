import { judgeEach } from '../values/judgement.ts';
import type { Judgement } from '../values/judgement.ts';
import { judgeExclusive } from './order.ts';
import { reachOf } from './read-page.ts';
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
  return judgeEach(judgeable, (page) =>
    page.nextAfter === reachOf(page)
      ? undefined
      : {
          expected: `next_after of at least ${String(reachOf(page))}, the last item's sequence`,
          actual: `next_after ${String(page.nextAfter)}`,
        },
  );
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
    const [first = page] = stalled;
    if (stalled.length >= stallsForEver && page.exchange.startedMs > first.exchange.endedMs + settleMs) {
      const expected = `pages without items to move on from ${String(page.after)} while has_more is true`;
      const actual = `next_after ${String(page.nextAfter)} ${stalled.length} times in a row`;
      return { judged: announcing.length, problems: [{ expected, actual }] };
    }
  }
  return { judged: announcing.filter((page) => !isEmptyAndStill(page)).length, problems: [] };
}

/** A page without items that announces more and hands the same cursor out again. */
export function isEmptyAndStill(page: ReadPage): boolean {
  return page.hasMore === true && page.items.length === 0 && isStill(page);
}

/** A page with items, all above its cursor, that announces more. */
function announcesMore(page: ReadPage): boolean {
  const { judged, problems } = judgeExclusive(page);
  return page.hasMore === true && judged > 0 && problems.length === 0;
}

function isStalled(page: ReadPage): boolean {
  return announcesMore(page) && isStill(page);
}

function isStill(page: ReadPage): boolean {
  return (stepOf(page) ?? 1n) <= 0n;
}

/** How far a page moves its cursor on; `undefined` where it was asked without one, or hands none out. */
function stepOf({ after, nextAfter }: ReadPage): bigint | undefined {
  return after === undefined || nextAfter === undefined ? undefined : nextAfter - after;
}
