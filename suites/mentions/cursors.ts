import type { PageRead } from '../../harness/stream/page.ts';
import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import {
  isEmptyAndStill,
  judgeEmptyPagesMoveOn,
  judgeNextPassesTheCursor,
} from '../../oracles/pages/cursor.ts';
import type { StreamView } from '../../harness/stream/stream-view.ts';
import { settle } from '../arrange/eventually.ts';
import { exchangesOf, mentionNeeds } from '../arrange/mentions/mentioning.ts';
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
];

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
