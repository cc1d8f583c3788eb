import type { PageRead } from '../../harness/stream/page.ts';
import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import { given, unmet } from '../../harness/verdict/outcome.ts';
import { judgeMoreWhileItemsRemain, judgePassedOver } from '../../oracles/pages/coverage.ts';
import {
  judgeEmptyPagesMoveOn,
  judgeNextNeverFallsBack,
  judgeNextNotBehindItems,
  judgeNextPassesTheCursor,
  judgeWatermarkCoversThePage,
  judgeWatermarkNeverFalls,
} from '../../oracles/pages/cursor.ts';
import { allOf } from '../../oracles/values/judgement.ts';
import { sequencesOf } from '../../oracles/pages/read-page.ts';
import { eventually } from '../arrange/eventually.ts';
import {
  insist,
  judgeCoverage,
  judgePages,
  lookTwice,
  requireSound,
} from '../arrange/channel-read/judging.ts';
import { channelNeeds, channelSeries, pagesFrom } from '../arrange/channel-read/series.ts';
import type { InChannel } from '../arrange/channel-read/series.ts';

/** What the page object of a channel read says of the page and of what follows. */
export const pageFieldChecks: readonly Check[] = [
  // page.next-after-not-behind-items: `next_after` is not smaller than the sequence of any item on its page.
  check(
    'page.next-cursor-covers-its-page',
    {
      title: 'next_after is not smaller than the sequence of any message on its page',
      clauses: ['page.next-after-not-behind-items'],
      needs: channelNeeds,
    },
    async (context) => {
      const { expect, observe } = context;
      // A cursor may lag on long pages alone.
      const { from } = await channelSeries(context);
      const long = [await context.channel.readPage(0n, 100), ...(await pagesFrom(context, from))];
      const pages = [...(await pagesOfThree(context)), ...long];
      requireSound(pages, 'page.next-after-not-behind-items');
      judgePages(expect, 'page.next-after-not-behind-items', pages, (page) =>
        judgeNextNotBehindItems([page]),
      );
      const isBeyond = pages.some(
        ({ items, nextAfter }) => items.length > 0 && nextAfter !== sequencesOf(items).at(-1),
      );
      observe(
        'page.next-after-beyond-the-items',
        'next_after of a page',
        isBeyond ? 'beyond the last message' : 'the last message',
      );
    },
  ),
  // page.next-after-passes-the-cursor: A page with items that announces more has moved `next_after` beyond
  //   the cursor asked with.
  check(
    'page.next-cursor-moves-on',
    {
      title: 'a page with messages that announces more has moved the cursor on',
      clauses: ['page.next-after-passes-the-cursor'],
      needs: channelNeeds,
    },
    async (context) => {
      const pages = await pagesOfThree(context);
      requireSound(pages, 'page.next-after-passes-the-cursor');
      judgePages(context.expect, 'page.next-after-passes-the-cursor', pages, (page) =>
        judgeNextPassesTheCursor([page]),
      );
    },
  ),
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
  // page.next-after-never-falls-back: A quiet stream does not answer a cursor that it issued with a smaller
  //   one.
  check(
    'page.next-cursor-never-falls-back',
    {
      title: 'at the quiet end of a channel its cursor is not answered with a smaller one',
      clauses: ['page.next-after-never-falls-back'],
      needs: channelNeeds,
      isExclusive: true,
    },
    async (context) => {
      const { channel, expect, settleMs } = context;
      const { from } = await channelSeries(context);
      const end = (await channel.walk(from)).nextAfter ?? unmet('the channel gave no cursor');
      const pages = [await channel.readPage(end, 100)];
      // A fall is looked at again for longer than the settle time; a lagging replica has caught up by then.
      await eventually(
        context,
        async () => pages.push(await channel.readPage(end, 100)),
        () => judgeNextNeverFallsBack(pages, settleMs).judged > 0,
      );
      requireSound(pages);
      const evidence = [pages[0], pages.at(-1)].flatMap((page) => page?.exchange ?? []);
      expect.judgement(
        'page.next-after-never-falls-back',
        judgeNextNeverFallsBack(pages, settleMs),
        ...evidence,
      );
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
        Promise.all(
          tail.slice(0, 3).flatMap((after) => [channel.readPage(after, 1), channel.readPage(after, 2)]),
        );
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
  // page.high-watermark-covers-the-page: Neither an item nor `next_after` lies above the `high_watermark` of
  //   the page.
  check(
    'page.watermark-covers-its-page',
    {
      title: 'neither a message nor next_after lies above the high_watermark of the page',
      clauses: ['page.high-watermark-covers-the-page'],
      needs: channelNeeds,
    },
    async (context) => {
      const { expect, observe } = context;
      const { from } = await channelSeries(context);
      const walks = () =>
        Promise.all([pagesFrom(context, from), pagesFrom(context, from, { limit: 3, maxPages: 5 })]);
      const isCovered = (page: PageRead): boolean =>
        judgeWatermarkCoversThePage([page]).problems.length === 0;
      // A watermark may be counted a little later than what it covers.
      const pages = (await eventually(context, walks, (read) => read.flat().every(isCovered))).flat();
      const reads = [...pages, ...(await pagesFrom(context, from))];
      requireSound(reads);
      // A cursor that leads too far breaks a rule of its own.
      const isComplete = judgePassedOver(reads, 0).problems.length === 0;
      given(isComplete, 'reading on misses messages', pages[0]?.exchange);
      judgePages(expect, 'page.high-watermark-covers-the-page', pages, (page) =>
        judgeWatermarkCoversThePage([page]),
      );
      const isEnd = pages.every(({ highWatermark, nextAfter }) => highWatermark === nextAfter);
      observe(
        'page.high-watermark-meaning',
        'high_watermark of a page',
        isEnd ? 'that of the page' : 'beyond the page',
      );
    },
  ),
  // page.high-watermark-never-falls: A later read of one stream does not report a lower `high_watermark`.
  check(
    'page.watermark-never-falls',
    {
      title: 'a later read of a channel does not report a lower high_watermark',
      clauses: ['page.high-watermark-never-falls'],
      needs: channelNeeds,
    },
    async (context) => {
      const { channel, expect, settleMs } = context;
      const { from } = await channelSeries(context);
      const whole = () => pagesFrom(context, from);
      const judged = () =>
        Promise.all([channel.readPage(from, 2), channel.readPage(0n, 1), channel.readPage(from, 100)]);
      const isFalling = ({ reads }: { reads: readonly PageRead[] }): boolean =>
        judgeWatermarkNeverFalls(reads, 0).problems.length > 0;
      const { reads } = await lookTwice(context, { whole, judged }, isFalling);
      requireSound(reads);
      const evidence = [reads[0], reads.at(-1)].flatMap((page) => page?.exchange ?? []);
      expect.judgement(
        'page.high-watermark-never-falls',
        judgeWatermarkNeverFalls(reads, settleMs),
        ...evidence,
      );
    },
  ),
];

/** A walk and the page behind it, which is empty while the channel is quiet. */
async function pagesPastTheEnd(context: InChannel, from: bigint): Promise<readonly PageRead[]> {
  const pages = await pagesFrom(context, from);
  return [...pages, await context.channel.readPage(pages.at(-1)?.nextAfter ?? from, 100)];
}

/** On pages of three a cursor that does not move is told from one that lags a message behind. */
async function pagesOfThree(context: InChannel): Promise<readonly PageRead[]> {
  const { from } = await channelSeries(context);
  return pagesFrom(context, from, { limit: 3, maxPages: 8 });
}
