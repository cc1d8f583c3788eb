import type { PageRead } from '../../harness/stream/page.ts';
import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import { judgeMoreWhileItemsRemain } from '../../oracles/pages/coverage.ts';
import { judgeEmptyPagesMoveOn } from '../../oracles/pages/cursor.ts';
import { allOf } from '../../oracles/values/judgement.ts';
import { sequencesOf } from '../../oracles/pages/read-page.ts';
import { insist, judgeCoverage, lookTwice, requireSound } from '../arrange/channel-read/judging.ts';
import { channelNeeds, channelSeries, pagesFrom } from '../arrange/channel-read/series.ts';
import type { InChannel } from '../arrange/channel-read/series.ts';

/** What the page object of a channel read says of the page and of what follows. */
export const pageFieldChecks: readonly Check[] = [
  // page.empty-page-moves-on: Pages without items that announce more do not hand out the same cursor for
  //   ever.
  check(
    'page.empty-pages-move-on',
    {
      title: 'reading on never gets stuck on pages without messages that announce more',
      clauses: ['page.empty-page-moves-on'],
      needs: channelNeeds,
      isExclusive: true,
    },
    async (context) => {
      const { expect, settleMs } = context;
      const { from } = await channelSeries(context);
      const [toTheEnd, small] = await Promise.all([
        pagesPastTheEnd(context, from).then((pages) => insist(context, pages)),
        pagesFrom(context, from, { limit: 2, maxPages: 12 }).then((pages) => insist(context, pages)),
      ]);
      requireSound([...toTheEnd, ...small]);
      const judgements = [toTheEnd, small].map((pages) => judgeEmptyPagesMoveOn(pages, settleMs));
      const evidence = [toTheEnd, small].flatMap((pages) => pages.at(-1)?.exchange ?? []);
      expect.judgement('page.empty-page-moves-on', allOf(judgements), ...evidence);
    },
  ),
  // page.has-more-while-items-remain: `has_more` is true as long as matching items lie beyond the page.
  check(
    'page.has-more-up-to-the-last-message',
    {
      title: 'has_more is true as long as a message lies beyond the page, even a single one',
      clauses: ['page.has-more-while-items-remain'],
      needs: channelNeeds,
      isExclusive: true,
    },
    async (context) => {
      const { channel, expect, observe, settleMs } = context;
      const { from } = await channelSeries(context);
      const whole = () => pagesFrom(context, from);
      const tail = sequencesOf((await whole()).flatMap(({ items }) => items)).slice(-4);
      const judged = () =>
        Promise.all(tail.flatMap((after) => [channel.readPage(after, 1), channel.readPage(after, 2)]));
      const looked = await lookTwice(
        context,
        { whole, judged },
        ({ reads }) => judgeMoreWhileItemsRemain(reads, 0).problems.length > 0,
      );
      requireSound(looked.reads);
      judgeCoverage(
        expect,
        'page.has-more-while-items-remain',
        judgeMoreWhileItemsRemain(looked.reads, settleMs),
      );
      const last = await channel.readPage(tail.at(-2), 1);
      observe(
        'page.has-more-without-more',
        'a full page that ends at the last message',
        `has_more ${String(last.hasMore)}`,
      );
    },
  ),
];

/** A walk and the page behind it, which is empty while the channel is quiet. */
async function pagesPastTheEnd(context: InChannel, from: bigint): Promise<readonly PageRead[]> {
  const pages = await pagesFrom(context, from);
  return [...pages, await context.channel.readPage(pages.at(-1)?.nextAfter ?? from, 100)];
}
