import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import type { PageRead } from '../../harness/stream/page.ts';
import { unarranged } from '../../harness/verdict/outcome.ts';
import { contentOfSize } from '../../generators/spaces/content/content.ts';
import { judgeMoreWhileItemsRemain, judgePassedOver } from '../../oracles/pages/coverage.ts';
import { judgeEmptyPagesMoveOn } from '../../oracles/pages/cursor.ts';
import { sequencesOf } from '../../oracles/pages/read-page.ts';
import { eventually } from '../arrange/eventually.ts';
import { requireAccepted } from '../arrange/send/accepted-sends.ts';
import {
  insist,
  judgeCoverage,
  judgeRising,
  judgeShown,
  lookTwice,
  requireSound,
} from '../arrange/channel-read/judging.ts';
import type { Looked } from '../arrange/channel-read/judging.ts';
import { pagesOf } from '../arrange/channel-read/readers.ts';
import {
  channelNeeds,
  channelSeries,
  fromBefore,
  hasAll,
  pagesFrom,
  sendMixed,
} from '../arrange/channel-read/series.ts';
import type { InChannel } from '../arrange/channel-read/series.ts';

/** The longest content that is accepted, in bytes. */
const largestBytes = 500_000;
/** Together more than most servers put on one page. */
const largeMessages = 4;

/** Messages of a page longer than most servers make one unasked. */
const longPage = 60;

const isPassingOver = ({ reads }: Looked): boolean => judgePassedOver(reads, 0).problems.length > 0;

/** What reading on from `next_after` brings. */
export const walkChecks: readonly Check[] = [
  check(
    'channel-read.walk-passes-over-nothing',
    {
      title: 'following next_after brings every message, whatever the page size',
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
  check(
    'channel-read.full-pages-pass-over-nothing',
    {
      title:
        'over all that a run has written, pages of 100, of 50 and of 40 bring the same messages, in order',
      clauses: ['channel-read.ascending', 'channel-read.walk-is-complete'],
      needs: channelNeeds,
      isExclusive: true,
    },
    async (context) => {
      const { channel, expect, settleMs } = context;
      await channelSeries(context);
      const from = (await channel.startCursor()) ?? unarranged('the channel gave no cursor');
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
  check(
    'limits.byte-cap-loses-nothing',
    {
      title: 'what does not fit on a page of large messages follows on the next one',
      clauses: [
        'page.empty-page-moves-on',
        'service.sent-is-readable',
        'page.has-more-while-items-remain',
        'limits.byte-cap-loses-nothing',
      ],
      needs: [...channelNeeds, 'large-contents'],
      bodyBytes: (largeMessages + 1) * largestBytes,
    },
    async (context) => {
      const { author, channel, draft, expect, marker, settleMs } = context;
      await requireSmallPagesWhole(context);
      const from = await fromBefore(context);
      const large = Array.from({ length: largeMessages }, () => contentOfSize(marker(), largestBytes));
      const drafts = [draft(), ...large, draft()];
      for (const { text } of drafts) {
        // One after the other, so that the small ones are around the large ones.
        requireAccepted(await author.send(channel.id, text));
      }
      const whole = () => pagesFrom(context, from, { limit: 1, maxPages: 60 });
      const single = await insist(
        context,
        await eventually(context, whole, (pages) => hasAll(pages, drafts)),
      );
      const stood = single.slice(-1).map(({ exchange }) => exchange);
      expect.judgement('page.empty-page-moves-on', judgeEmptyPagesMoveOn(single, settleMs), ...stood);
      const around = [...drafts.slice(0, 1), ...drafts.slice(-1)];
      judgeShown(expect, { drafts: large, around, last: single, earlier: [] });
      const isSuspicious = ({ reads, judged }: Looked): boolean =>
        [judgePassedOver, judgeMoreWhileItemsRemain].some(
          (rule) => rule(reads, 0, judged).problems.length > 0,
        );
      const known = [single];
      const { reads, judged } = await lookTwice(
        context,
        { whole: async () => known.pop() ?? whole(), judged: () => pagesFrom(context, from, { limit: 100 }) },
        isSuspicious,
      );
      requireSound(reads);
      const singles = reads.filter(({ limit }) => limit === 1);
      if (isSuspicious({ reads, judged: singles })) unarranged('pages of one message lose some as well');
      const cut = judgeMoreWhileItemsRemain(reads, settleMs, judged);
      judgeCoverage(expect, 'page.has-more-while-items-remain', cut);
      const { problems } = judgePassedOver(reads, settleMs, judged);
      judgeCoverage(expect, 'limits.byte-cap-loses-nothing', { judged: cut.judged, problems });
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

/** Ends the check when pages of small messages pass over some: no byte cap explains that. */
async function requireSmallPagesWhole(context: InChannel): Promise<void> {
  const { from } = await channelSeries(context);
  const singles = () => pagesFrom(context, from, { limit: 1, maxPages: 8 });
  const reads = [...(await singles()), await context.channel.readPage(from, 8), ...(await singles())];
  if (judgePassedOver(reads, 0).problems.length > 0)
    unarranged('pages of small messages lose some', reads[8]?.exchange);
}
