import { judgeEach } from '../values/judgement.ts';
import type { Judgement } from '../values/judgement.ts';
import { judgeExclusive } from './order.ts';
import { reachOf } from './read-page.ts';
import type { ReadPage } from './read-page.ts';

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

/** A page without items that announces more and hands the same cursor out again. */
export function isEmptyAndStill(page: ReadPage): boolean {
  return page.hasMore === true && page.items.length === 0 && isStill(page);
}

/** Neither an item nor `next_after` lies above the watermark of its page. An inferred rule. */
export function judgeWatermarkCoversThePage(pages: readonly ReadPage[]): Judgement {
  const judgeable = pages.flatMap((page) => {
    const [mark, reach] = [page.highWatermark, reachOf(page)];
    return mark === undefined || reach === undefined ? [] : [{ mark, reach }];
  });
  return judgeEach(judgeable, ({ mark, reach }) =>
    reach <= mark
      ? undefined
      : { expected: `nothing above high_watermark ${mark}`, actual: `${reach} on its page` },
  );
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
