import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import type { PageRead } from '../../harness/stream/page.ts';
import { unmet } from '../../harness/verdict/outcome.ts';
import { judgePassedOver } from '../../oracles/pages/coverage.ts';
import { sequencesOf } from '../../oracles/pages/read-page.ts';
import { judgeCoverage, judgeRising, lookTwice, requireSound } from '../arrange/channel-read/judging.ts';
import type { Looked } from '../arrange/channel-read/judging.ts';
import { pagesOf } from '../arrange/channel-read/readers.ts';
import { channelNeeds, channelSeries, pagesFrom, sendMixed } from '../arrange/channel-read/series.ts';
import type { InChannel } from '../arrange/channel-read/series.ts';

/** Messages of a page longer than most servers make one unasked. */
const longPage = 60;

const isPassingOver = ({ reads }: Looked): boolean => judgePassedOver(reads, 0).problems.length > 0;

/** What reading on from `next_after` brings. */
export const walkChecks: readonly Check[] = [
  // channel-read.walk-is-complete: Reading on from `next_after` skips no message.
  check(
    'channel-read.walk-misses-nothing',
    {
      title: 'following next_after returns every message, whatever the page size',
      clauses: ['channel-read.walk-is-complete'],
      needs: channelNeeds,
    },
    async (context) => {
      const { author, channel, expect, settleMs } = context;
      const { from } = await channelSeries(context);
      const whole = () => pagesFrom(context, from);
      const places = sequencesOf((await whole()).flatMap(({ items }) => items)).slice(0, 12);
      const judged = async () => {
        const walks = await Promise.all([
          pagesFrom(context, from, { limit: 1, maxPages: 20 }),
          pagesFrom(context, from, { limit: 7 }),
          pagesOf(context, author, from, undefined),
          Promise.all(places.map((after) => channel.readPage(after, 10))),
        ]);
        return walks.flat();
      };
      const { reads } = await lookTwice(context, { whole, judged }, isPassingOver);
      requireSound(reads);
      judgeCoverage(expect, 'channel-read.walk-is-complete', judgePassedOver(reads, settleMs));
    },
  ),
  // channel-read.ascending: Messages are read by ascending `sequence`.
  check(
    'channel-read.full-pages-miss-nothing',
    {
      title:
        'over all that a run has written, pages of 100, of 50 and of 40 return the same messages, in order',
      clauses: ['channel-read.ascending', 'channel-read.walk-is-complete'],
      needs: channelNeeds,
      isExclusive: true,
      looksBack: true,
    },
    async (context) => {
      const { channel, expect, settleMs } = context;
      await channelSeries(context);
      const from = (await channel.runStart()) ?? unmet('the channel gave no cursor');
      const whole = () => pagesFrom(context, from, { limit: 40 });
      const known = [await withLongPages(context, whole)];
      const judged = async () => {
        const walks = await Promise.all([
          pagesFrom(context, from, { limit: 100 }),
          // What goes wrong with pages of so many is seen at the second, however little was written.
          pagesFrom(context, from, { limit: 50, maxPages: 2 }),
        ]);
        return walks.flat();
      };
      const { reads } = await lookTwice(
        context,
        { whole: async () => known.pop() ?? whole(), judged },
        isPassingOver,
      );
      judgeRising(expect, [reads]);
      requireSound(reads);
      judgeCoverage(expect, 'channel-read.walk-is-complete', judgePassedOver(reads, settleMs));
    },
  ),
];

/** Reads, and reads again once more was sent where that shows too little for a long page. */
async function withLongPages(
  context: InChannel,
  read: () => Promise<readonly PageRead[]>,
): Promise<readonly PageRead[]> {
  const pages = await read();
  const missing = longPage - pages.flatMap(({ items }) => items).length;
  if (missing <= 0) return pages;
  await sendMixed(context, missing);
  return read();
}
