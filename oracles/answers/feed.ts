import { judgeEach, inconclusive } from '../values/judgement.ts';
import type { Judgement } from '../values/judgement.ts';
import { isSameId } from './overview.ts';
import type { ReadPage } from '../pages/read-page.ts';

/** An object of an answer whose shape nobody has vouched for. */
type Fields = Readonly<Record<string, unknown>>;

/** The `limit` of a listing that was asked for without one. */
export const defaultLimit = 50;

/** The id of a mention is that of the message in it. */
export function judgeMentionIds(
  mentions: readonly { readonly record: Fields; readonly id: string | undefined }[],
): Judgement {
  const judgeable = mentions.flatMap(({ record: { id: own }, id }) =>
    id !== undefined && typeof own === 'string' ? [{ own, id }] : [],
  );
  return judgeEach(judgeable, ({ own, id }) =>
    isSameId(own, id)
      ? undefined
      : { expected: `the id of its message, ${id}`, actual: `${own} as the id of the mention` },
  );
}

/** Pages read from one cursor while nothing below them changed: two of each kind, so that a passing change shows. */
interface PagesFromOneCursor {
  readonly withoutLimit: readonly ReadPage[];
  readonly withDefault: readonly ReadPage[];
  /** Asked for with more than the default. */
  readonly withMore: readonly ReadPage[];
}

/**
 * A page without a limit is as long as one with the default limit. Decides nothing unless a page with a higher limit is
 * longer than the default: then neither a byte cap nor a lack of mentions explains its length. Where a page with the
 * default limit is itself longer than that, another rule is broken; where messages are listed more than once, what a
 * limit counts is not certain.
 */
export function judgeDefaultLimit({ withoutLimit, withDefault, withMore }: PagesFromOneCursor): Judgement {
  const shortest = (pages: readonly ReadPage[]): number =>
    Math.min(...pages.map(({ items }) => items.length));
  const longest = Math.max(...withDefault.map(({ items }) => items.length));
  const isDoubled = [...withoutLimit, ...withDefault].some((page) => messagesOn(page) < page.items.length);
  if (isDoubled || longest > defaultLimit || shortest(withMore) <= defaultLimit) return inconclusive;
  return judgeEach(withoutLimit.map(messagesOn), (length) =>
    length > defaultLimit || length < shortest(withDefault)
      ? {
          expected: `${shortest(withDefault)} mentions without a limit, as with ${defaultLimit}`,
          actual: `${length}`,
        }
      : undefined,
  );
}

/**
 * A page has no more messages than it was asked for. A message that is listed for each of its targets counts once; one at
 * or below the cursor does not count. Without a limit nothing is judged.
 */
export function judgeMessagesWithinLimit(page: ReadPage): Judgement {
  const { after, limit, items } = page;
  if (limit === undefined) return inconclusive;
  const asked = items.filter(
    ({ sequence }) => after === undefined || sequence === undefined || sequence > after,
  );
  return judgeEach([messagesOn({ items: asked })], (count) =>
    count > limit ? { expected: `at most ${limit} messages`, actual: `${count} messages` } : undefined,
  );
}

/** How many messages stand on a page. */
function messagesOn({ items }: Pick<ReadPage, 'items'>): number {
  return new Set(items.map(({ id }, place) => id ?? place)).size;
}
