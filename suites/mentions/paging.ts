import { integerOf, readPage } from '../../harness/stream/page.ts';
import type { PageRead } from '../../harness/stream/page.ts';
import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import { given } from '../../harness/verdict/outcome.ts';
import { judgeMoreWhileItemsRemain } from '../../oracles/pages/coverage.ts';
import { defaultLimit, judgeDefaultLimit } from '../../oracles/answers/feed.ts';
import { allOf } from '../../oracles/values/judgement.ts';
import { judgeAscending } from '../../oracles/pages/order.ts';
import type { StreamView } from '../../harness/stream/stream-view.ts';
import { exchangesOf, mentionNeeds, ownItems, requirePages } from '../arrange/mentions/mentioning.ts';
import { mentionSeries, quietMentions, readAmid, requireOwnNumbers } from '../arrange/mentions/series.ts';

/** How long the pages of a feed are, and what they say of the rest. */
export const mentionPagingChecks: readonly Check[] = [
  // mentions.limit.default: A listing without `limit` has 50 messages at most, and as many if so many match
  //   and fit.
  check(
    'mentions.default-limit-is-50',
    {
      title: 'a listing without a limit is as long as one with a limit of 50',
      clauses: ['mentions.limit.default'],
      needs: mentionNeeds,
    },
    async (context) => {
      const { reader, expect, observe } = context;
      const series = await mentionSeries(context);
      requireOwnNumbers(series);
      const { after } = series;
      const read = async (limit: number | undefined): Promise<PageRead> =>
        readPage(await reader.mentions({ after, limit }), { after, limit });
      const before = await Promise.all([read(defaultLimit), read(60)]);
      const plain = await read(undefined);
      const later = await Promise.all([read(defaultLimit), read(60)]);
      requirePages(plain, ...before, ...later);
      const judgement = judgeDefaultLimit({
        withoutLimit: [plain],
        withDefault: [before[0], later[0]],
        withMore: [before[1], later[1]],
      });
      expect.judgement(
        'mentions.limit.default',
        judgement,
        plain.exchange,
        before[0].exchange,
        before[1].exchange,
      );
      const isCut = before[1].items.length <= defaultLimit;
      const places = series.items.map(({ message }) => ({
        id: undefined,
        sequence: integerOf(message['sequence']),
      }));
      observe(
        'mentions.order-against-channel-order',
        'concurrent-sends',
        judgeAscending(places).problems.length === 0 ? 'as in the channel' : 'another order',
      );
      observe('mentions.limit.byte-cap', 'sixty-short-mentions', isCut ? 'cut below 50' : 'not cut below 50');
    },
  ),
  // page.has-more-while-items-remain: `has_more` is true as long as matching items lie beyond the page.
  check(
    'mentions.has-more-while-items-remain',
    {
      title: 'a page of mentions announces more while some lie beyond it',
      clauses: ['page.has-more-while-items-remain'],
      needs: mentionNeeds,
    },
    async (context) => {
      const { reader, author, expect, feedOf, settleMs } = context;
      const series = await mentionSeries(context);
      const feed = await feedOf(reader, author);
      const quiet = await quietMentions(context);
      const quietFeed = await feedOf(author, reader);
      const [busy, still] = await Promise.all([
        readAmid(context, feed, series, () =>
          Promise.all([1, 5, 20, 50].map((limit) => feed.readPage(series.after, limit))),
        ),
        // Here a page can be asked for that leaves a single one.
        readAmid(context, quietFeed, quiet, () =>
          Promise.all([1, 3, 5].map((limit) => quietFeed.readPage(quiet.after, limit))),
        ),
      ]);
      const denials = [
        ...busy.judged.map((page) => ({ page, view: feed })),
        ...still.judged.map((page) => ({ page, view: quietFeed })),
      ];
      const changed = await Promise.all(
        denials.filter(({ page }) => page.hasMore === false).map(hasChangedItsMind),
      );
      given(!changed.includes(true), 'a page announces more at one time and denies it at another');
      const own = busy.reads.map((page) => ({ ...page, items: ownItems(page.items, series.drafts) }));
      const judgements = [own, still.reads].map((reads) => judgeMoreWhileItemsRemain(reads, settleMs));
      const evidence = exchangesOf([...busy.judged.slice(0, 1), ...still.judged]);
      expect.judgement('page.has-more-while-items-remain', allOf(judgements), ...evidence);
    },
  ),
];

/** True when a page that denied more announces more on another look. */
async function hasChangedItsMind({
  page,
  view,
}: {
  readonly page: PageRead;
  readonly view: StreamView;
}): Promise<boolean> {
  const looks = [
    await view.readPage(page.after, page.limit),
    await view.readPage(page.after, page.limit),
    await view.readPage(page.after, page.limit),
  ];
  return looks.some(({ hasMore }) => hasMore === true);
}
