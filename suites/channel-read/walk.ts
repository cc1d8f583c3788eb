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
import { severalTimes } from '../arrange/several-times.ts';
import { singlesAfter } from '../arrange/singles.ts';

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
      const places = sequencesOf((await whole()).flatMap(({ items }) => items)).slice(0, 20);
      const judged = async () => {
        const walks = await Promise.all([
          pagesFrom(context, from, { limit: 1, maxPages: 8 }),
          singlesAfter(channel, places, places.length),
          pagesFrom(context, from, { limit: 7, maxPages: 8 }),
          pagesOf(context, author, from, undefined),
          Promise.all(places.slice(0, 12).map((after) => channel.readPage(after, 10))),
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
      const long = await withLongPages(context, () => pagesFrom(context, from));
      const places = [from, ...sequencesOf(long.flatMap(({ items }) => items))];
      // Side by side, each after what is the last on the one before.
      const whole = () =>
        severalTimes(Math.ceil(places.length / 40), (index) => channel.readPage(places[40 * index], 40));
      const judged = async () => {
        const walks = await Promise.all([
          pagesFrom(context, from, { limit: 100 }),
          // What goes wrong with pages of so many is seen at the second, however little was written.
          pagesFrom(context, from, { limit: 50, maxPages: 2 }),
        ]);
        return walks.flat();
      };
      const looked = await lookTwice(context, { whole, judged }, isPassingOver);
      const reads = [...long, ...looked.reads];
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
