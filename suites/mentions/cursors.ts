import type { PageRead } from '../../harness/stream/page.ts';
import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import { isEmptyAndStill, judgeEmptyPagesMoveOn } from '../../oracles/pages/cursor.ts';
import type { StreamView } from '../../harness/stream/stream-view.ts';
import { settle } from '../arrange/eventually.ts';
import { exchangesOf, mentionNeeds } from '../arrange/mentions/mentioning.ts';
import type { Mentioning } from '../arrange/mentions/mentioning.ts';
import { quietMentions } from '../arrange/mentions/series.ts';

/** The cursors that the pages of a feed hand out. */
export const mentionCursorChecks: readonly Check[] = [
  // page.empty-page-moves-on: Pages without items that announce more do not hand out the same cursor for
  //   ever.
  check(
    'mentions.next-cursor-moves-on',
    {
      title: 'reading a feed on never gets stuck on pages without mentions that announce more',
      clauses: ['page.empty-page-moves-on'],
      needs: mentionNeeds,
    },
    async (context) => {
      const { author, reader, expect, feedOf, settleMs } = context;
      const { after } = await quietMentions(context);
      const quiet = await feedOf(author, reader);
      const { nextAfter: end } = await quiet.walk(after);
      const walks = await Promise.all([
        readPatiently(context, await feedOf(reader, author), 0n),
        readPatiently(context, quiet, end),
      ]);
      for (const pages of walks) {
        const judgement = judgeEmptyPagesMoveOn(pages, settleMs);
        expect.judgement('page.empty-page-moves-on', judgement, ...exchangesOf(pages));
      }
    },
  ),
];

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
