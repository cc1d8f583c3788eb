import type { PageRead } from '../../harness/stream/page.ts';
import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import { given } from '../../harness/verdict/outcome.ts';
import {
  isEmptyAndStill,
  judgeEmptyPagesMoveOn,
  judgeNextNeverFallsBack,
  judgeNextNotBehindItems,
  judgeNextPassesTheCursor,
  judgeWatermarkCoversThePage,
  judgeWatermarkNeverFalls,
} from '../../oracles/pages/cursor.ts';
import { judgeAscending } from '../../oracles/pages/order.ts';
import type { StreamView } from '../../harness/stream/stream-view.ts';
import { eventually, settle } from '../arrange/eventually.ts';
import { exchangesOf, mention, mentionNeeds } from '../arrange/mentions/mentioning.ts';
import { agentTarget } from '../arrange/send/proof.ts';
import type { Mentioning } from '../arrange/mentions/mentioning.ts';
import { mentionSeries, quietMentions } from '../arrange/mentions/series.ts';

/** The cursors and the watermark that the pages of a feed hand out. */
export const mentionCursorChecks: readonly Check[] = [
  // page.next-after-passes-the-cursor: A page with items that announces more has moved `next_after` beyond
  //   the cursor asked with.
  check(
    'mentions.next-cursor-moves-on',
    {
      title: 'a page of mentions that announces more moves the cursor on',
      clauses: ['page.next-after-passes-the-cursor', 'page.empty-page-moves-on'],
      needs: mentionNeeds,
    },
    async (context) => {
      const { reader, author, expect, feedOf, settleMs } = context;
      const feed = await feedOf(reader, author);
      const [fromZero, pages, beyond] = await Promise.all([
        readPatiently(context, feed, 0n),
        mentionSeries(context).then(({ after }) => readPatiently(context, feed, after)),
        readBeyond(context),
      ]);
      const stands = judgeEmptyPagesMoveOn(fromZero, settleMs);
      expect.judgement('page.empty-page-moves-on', stands, ...exchangesOf(fromZero));
      expect.judgement(
        'page.next-after-passes-the-cursor',
        judgeNextPassesTheCursor(pages),
        ...exchangesOf(pages),
      );
      expect.judgement(
        'page.empty-page-moves-on',
        judgeEmptyPagesMoveOn(pages, settleMs),
        ...exchangesOf(pages),
      );
      expect.judgement(
        'page.empty-page-moves-on',
        judgeEmptyPagesMoveOn(beyond, settleMs),
        ...exchangesOf(beyond),
      );
    },
  ),
  // page.next-after-not-behind-items: `next_after` is not smaller than the sequence of any item on its page.
  check(
    'mentions.next-cursor-covers-its-page',
    {
      title: 'the next cursor of a page of mentions is not before any of them',
      clauses: ['page.next-after-not-behind-items'],
      needs: mentionNeeds,
    },
    async (context) => {
      const { reader, author, expect, feedOf, observe } = context;
      const series = await mentionSeries(context);
      const feed = await feedOf(reader, author);
      const walks = await Promise.all([
        feed.walk(series.after, { limit: 3, maxPages: 8 }),
        feed.walk(series.after, { limit: 20, maxPages: 3 }),
      ]);
      const pages = walks.flatMap((walk) => walk.pages);
      // On a page that is out of order the last item is not the highest: that rule speaks first.
      const ordered = pages.filter(({ items }) => judgeAscending(items).problems.length === 0);
      expect.judgement(
        'page.next-after-not-behind-items',
        judgeNextNotBehindItems(ordered),
        ...exchangesOf(pages),
      );
      const isBeyond = ordered.some(({ items, nextAfter }) => nextAfter !== items.at(-1)?.sequence);
      observe(
        'page.next-after-beyond-the-items',
        'feed',
        isBeyond ? 'beyond the last item' : 'at the last item',
      );
    },
  ),
  // page.next-after-never-falls-back: A quiet stream does not answer a cursor that it issued with a smaller
  //   one.
  check(
    'mentions.next-cursor-never-falls-back',
    {
      title: 'a quiet feed does not answer a cursor with a smaller one',
      clauses: ['page.next-after-never-falls-back'],
      needs: mentionNeeds,
    },
    async (context) => {
      const { reader, author, expect, feedOf, settleMs } = context;
      const { after } = await quietMentions(context);
      const feed = await feedOf(author, reader);
      const { nextAfter: end } = await feed.walk(after);
      const first = await feed.readPage(end, 10);
      await settle(context);
      const pages = [first, await feed.readPage(end, 10)];
      expect.judgement(
        'page.next-after-never-falls-back',
        judgeNextNeverFallsBack(pages, settleMs),
        ...exchangesOf(pages),
      );
    },
  ),
  // page.high-watermark-covers-the-page: Neither an item nor `next_after` lies above the `high_watermark` of
  //   the page.
  check(
    'mentions.watermark-covers-the-page',
    {
      title: 'neither a mention nor the next cursor lies above the watermark of the page',
      clauses: ['page.high-watermark-covers-the-page'],
      needs: mentionNeeds,
      // The watermark stands at the mention that is looked at, if nothing else goes on.
      isExclusive: true,
    },
    async (context) => {
      const { reader, author, channel, expect, feedOf } = context;
      const feed = await feedOf(reader, author);
      const from = await feed.since();
      const naming = { from: author, channelId: channel.id, targets: [await agentTarget(context, reader)] };
      // On a page of one mention the last is the first as well.
      await feed.arrivals(await Promise.all([mention(context, naming), mention(context, naming)]));
      // A watermark may be known a little later than what it covers.
      const pages = await eventually(
        context,
        () => Promise.all([feed.readPage(from, 10), feed.readPage(undefined, 3)]),
        (read) => judgeWatermarkCoversThePage(itemsAlone(read)).problems.length === 0,
      );
      const judgement = judgeWatermarkCoversThePage(itemsAlone(pages));
      expect.judgement('page.high-watermark-covers-the-page', judgement, ...exchangesOf(pages));
    },
  ),
  // page.high-watermark-never-falls: A later read of one stream does not report a lower `high_watermark`.
  check(
    'mentions.watermark-never-falls',
    {
      title: 'a later page of a feed does not report a lower watermark',
      clauses: ['page.high-watermark-never-falls'],
      needs: mentionNeeds,
      // While others are mentioned the watermark rises, and a small fall is not seen.
      isExclusive: true,
      whileItSettles: 'reads',
    },
    async (context) => {
      const { reader, author, expect, feedOf, settleMs, sleep } = context;
      const quiet = await quietMentions(context);
      const feed = await feedOf(author, reader);
      const look = (): Promise<PageRead[]> =>
        Promise.all([
          feed.readPage(quiet.after, 2),
          feed.readPage(undefined, 3),
          feed.readPage(0n, 2),
          feed.readPage(undefined, 1),
        ]);
      const first = await look();
      await settle(context);
      const second = await look();
      // What lags further behind than it should catches up in the end, and then the watermark does not seem to fall.
      const hasFallen = judgeWatermarkNeverFalls([...first, ...second], settleMs).problems.length > 0;
      if (hasFallen) await sleep(5 * settleMs);
      const pages = [...first, ...(hasFallen ? await look() : second)];
      const isCovered = judgeWatermarkCoversThePage(itemsAlone(pages)).problems.length === 0;
      given(isCovered, 'the watermark does not cover its own page', pages[0]?.exchange);
      expect.judgement(
        'page.high-watermark-never-falls',
        judgeWatermarkNeverFalls(pages, settleMs),
        ...exchangesOf(pages),
      );
    },
  ),
];

/** Pages without their cursor: one that is given out too far has a rule of its own. */
function itemsAlone(pages: readonly PageRead[]): PageRead[] {
  return pages.map((page) => ({ ...page, nextAfter: undefined }));
}

/** Reads on where nothing follows. */
async function readBeyond(context: Mentioning): Promise<readonly PageRead[]> {
  const { after } = await quietMentions(context);
  const feed = await context.feedOf(context.author, context.reader);
  const { nextAfter: end } = await feed.walk(after);
  return readPatiently(context, feed, end);
}

/** Reads on in threes, and once more after the settle time where a page without items hands its own cursor out. */
async function readPatiently(
  context: Mentioning,
  feed: StreamView,
  after: bigint | undefined,
): Promise<readonly PageRead[]> {
  const { pages, nextAfter: end } = await feed.walk(after, { limit: 3, maxPages: 20 });
  const last = pages.at(-1);
  if (last === undefined || !isEmptyAndStill(last)) return pages;
  await settle(context);
  return [...pages, ...(await feed.walk(end, { limit: 3, maxPages: 20 })).pages];
}
