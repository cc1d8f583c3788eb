import { judgeEach, inconclusive, type Judgement } from '../values/judgement.ts';
import type { ReadPage } from '../pages/read-page.ts';

/** The `limit` of a listing that was asked for without one. */
export const defaultLimit = 50;

/** Pages read from one cursor while nothing below them changed: two of each kind, so that a passing change shows. */
interface PagesFromOneCursor {
  readonly withoutLimit: readonly ReadPage[];
  readonly withDefault: readonly ReadPage[];
  /** Asked for with more than the default. */
  readonly withMore: readonly ReadPage[];
}

/** Whether a page without a limit has fewer messages than those with the default limit: it may have a byte cap of its own. */
export function isShorterWithoutLimit({
  withoutLimit,
  withDefault,
}: Omit<PagesFromOneCursor, 'withMore'>): boolean {
  return withoutLimit.some((page) => messagesOn(page) < shortest(withDefault));
}

/**
 * A page without a limit is as long as one with the default limit. Decides nothing unless a page with a higher limit is
 * longer than the default: then neither a byte cap nor a lack of mentions explains its length. Nor is a shorter one too short
 * where a cap of pages without a limit alone may have ended it: any page may be cut, and whether by one cap is not shown. Where a
 * page with the default limit is itself longer than that, another rule is broken; where messages are listed more than once, what a
 * limit counts is not certain.
 */
export function judgeDefaultLimit(
  pages: PagesFromOneCursor,
  { isCapRuledOut }: { readonly isCapRuledOut: boolean },
): Judgement {
  const { withoutLimit, withDefault, withMore } = pages;
  const longest = Math.max(...withDefault.map(({ items }) => items.length));
  const isDoubled = [...withoutLimit, ...withDefault].some((page) => messagesOn(page) < page.items.length);
  if (isDoubled || longest > defaultLimit || shortest(withMore) <= defaultLimit) return inconclusive;
  const isTooLong = withoutLimit.some((page) => messagesOn(page) > defaultLimit);
  if (!isTooLong && !isCapRuledOut && isShorterWithoutLimit(pages)) return inconclusive;
  return judgeEach(withoutLimit.map(messagesOn), (length) =>
    length > defaultLimit || length < shortest(withDefault)
      ? {
          expected: `${shortest(withDefault)} mentions without a limit, as with ${defaultLimit}`,
          actual: `${length}`,
        }
      : undefined,
  );
}

function shortest(pages: readonly ReadPage[]): number {
  return Math.min(...pages.map(({ items }) => items.length));
}

/** How many messages stand on a page. */
function messagesOn({ items }: Pick<ReadPage, 'items'>): number {
  return new Set(items.map(({ id }, place) => id ?? place)).size;
}
