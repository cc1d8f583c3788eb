import { integerOf } from '../../harness/stream/page.ts';
import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import { given } from '../../harness/verdict/outcome.ts';
import { allOf } from '../../oracles/values/judgement.ts';
import { judgeAscending, judgeDistinctMessages } from '../../oracles/pages/order.ts';
import { exchangesOf, mentionNeeds, ofChannel } from '../arrange/mentions/mentioning.ts';
import { mentionSeries } from '../arrange/mentions/series.ts';

/** In which order a feed lists mentions. */
export const mentionOrderChecks: readonly Check[] = [
  // mentions.ascending: Mentions are listed by ascending `sequence`.
  check(
    'mentions.pages-ascend',
    {
      title: 'a page of mentions after a cursor ascends by sequence',
      clauses: ['mentions.ascending'],
      needs: mentionNeeds,
    },
    async (context) => {
      const { reader, author, channel, expect, feedOf, observe } = context;
      const series = await mentionSeries(context);
      const feed = await feedOf(reader, author);
      const walks = await Promise.all([feed.walk(series.after, { limit: 30 }), feed.walk(series.after)]);
      const pages = walks.flatMap((walk) => walk.pages);
      const judgements = pages.map(({ items }) => judgeAscending(ofChannel(items, channel.id)));
      expect.judgement('mentions.ascending', allOf(judgements), ...exchangesOf(pages));
      const places = series.items.map(({ message }) => ({
        id: undefined,
        sequence: integerOf(message['sequence']),
      }));
      const isSame = judgeAscending(places).problems.length === 0;
      observe(
        'mentions.order-against-channel-order',
        'concurrent-sends',
        isSame ? 'as in the channel' : 'another order',
      );
    },
  ),
  // mentions.newest-page-ascends: Without `after`, too, the listing goes from older to newer.
  check(
    'mentions.newest-page-ascends',
    {
      title: 'a page of mentions without a cursor goes from older to newer',
      clauses: ['mentions.newest-page-ascends'],
      needs: mentionNeeds,
    },
    async (context) => {
      const { reader, author, channel, expect, feedOf } = context;
      const series = await mentionSeries(context);
      const feed = await feedOf(reader, author);
      const after = await feed.readPage(series.after, 30);
      const isOrdered = judgeAscending(ofChannel(after.items, channel.id)).problems.length === 0;
      given(isOrdered, 'pages after a cursor are out of order as well', after.exchange);
      const newest = await feed.readPage(undefined, 30);
      const judgement = judgeAscending(ofChannel(newest.items, channel.id));
      expect.judgement('mentions.newest-page-ascends', judgement, newest.exchange);
    },
  ),
  // mentions.no-duplicate-sequence: No two messages of one feed have the same `sequence`.
  check(
    'mentions.sequences-are-distinct',
    {
      title: 'no two mentions on a page have the same sequence',
      clauses: ['mentions.no-duplicate-sequence'],
      needs: mentionNeeds,
    },
    async (context) => {
      const { reader, author, channel, expect, feedOf } = context;
      const series = await mentionSeries(context);
      const feed = await feedOf(reader, author);
      const { pages } = await feed.walk(series.after, { maxPages: 2 });
      const judgements = pages.map(({ items }) => judgeDistinctMessages(ofChannel(items, channel.id)));
      expect.judgement('mentions.no-duplicate-sequence', allOf(judgements), ...exchangesOf(pages));
    },
  ),
];
