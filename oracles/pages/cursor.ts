import type { Judgement } from '../values/judgement.ts';
import type { ReadPage, TimedPage } from './read-page.ts';

/** The same cursor, handed out this often in a row and for longer than the settle time, is handed out for ever. */
export const stallsForEver = 5;

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

/** A page without items that announces more and hands the same cursor out again, or a smaller one. */
export function isEmptyAndStill({ hasMore, items, after, nextAfter }: ReadPage): boolean {
  const step = after === undefined || nextAfter === undefined ? 1n : nextAfter - after;
  return hasMore === true && items.length === 0 && step <= 0n;
}
