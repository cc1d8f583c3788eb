import { check } from '../../harness/check/check.ts';
import type { PageRead } from '../../harness/stream/page.ts';
import type { Check } from '../../harness/check/check.ts';
import { given, unmet } from '../../harness/verdict/outcome.ts';
import { contentOfSize } from '../../generators/spaces/content/content.ts';
import { judgeMoreWhileItemsRemain, judgePassedOver } from '../../oracles/pages/coverage.ts';
import { judgeEmptyPagesMoveOn } from '../../oracles/pages/cursor.ts';
import { highestOf, sequencesOf } from '../../oracles/pages/read-page.ts';
import { eventually } from '../arrange/eventually.ts';
import { requireAccepted } from '../arrange/send/accepted-sends.ts';
import { singlesAfter } from '../arrange/singles.ts';
import { insist, judgeCoverage, lookTwice, requireSound } from '../arrange/channel-read/judging.ts';
import type { Looked } from '../arrange/channel-read/judging.ts';
import {
  channelNeeds,
  channelSeries,
  fromBefore,
  hasAll,
  pagesFrom,
} from '../arrange/channel-read/series.ts';
import type { InChannel } from '../arrange/channel-read/series.ts';
import { maxContentBytes } from '../../spec/index.ts';

/** Together more than most servers put on one page. */
const largeMessages = 4;

/** What a byte cap on pages must not lose. */
export const byteCapChecks: readonly Check[] = [
  // page.empty-page-moves-on: Pages without items that announce more do not hand out the same cursor for
  //   ever.
  check(
    'page.byte-cap-loses-nothing',
    {
      title: 'what does not fit on a page of large messages follows on the next one',
      clauses: [
        'page.empty-page-moves-on',
        'service.sent-is-readable',
        'page.has-more-while-items-remain',
        'limits.byte-cap-loses-nothing',
      ],
      needs: [...channelNeeds, 'large-contents'],
      bodyBytes: (largeMessages + 1) * maxContentBytes,
    },
    async (context) => {
      const { author, channel, draft, expect, marker, settleMs } = context;
      const small = await requireSmallPagesWhole(context);
      const since = await fromBefore(context);
      // Above both lies all that is sent from now on; the higher leaves the least to be read in ones.
      const from = small > since ? small : since;
      const large = Array.from({ length: largeMessages }, () => contentOfSize(marker(), maxContentBytes));
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
      // A missing one is a failure only beside others: retention takes older ones first.
      given(hasAll(single, around), 'messages sent before and after are not visible', stood[0]);
      const lost = large.filter((each) => !hasAll(single, [each]));
      const problem = { expected: `all of ${large.length} large messages`, actual: `${lost.length} missing` };
      expect.holds('service.sent-is-readable', lost.length === 0, problem, ...stood);
      const isSuspicious = ({ reads, judged }: Looked): boolean =>
        [judgePassedOver, judgeMoreWhileItemsRemain].some(
          (rule) => rule(reads, 0, judged).problems.length > 0,
        );
      const known = [single];
      const { reads, judged } = await lookTwice(
        context,
        {
          whole: async () => known.pop() ?? singlesAfter(channel, [from, ...placesOf(single)]),
          judged: () => pagesFrom(context, from, { limit: 100 }),
        },
        isSuspicious,
      );
      requireSound(reads);
      const singles = reads.filter(({ limit }) => limit === 1);
      given(!isSuspicious({ reads, judged: singles }), 'pages of one message lose some as well');
      const cut = judgeMoreWhileItemsRemain(reads, settleMs, judged);
      judgeCoverage(expect, 'page.has-more-while-items-remain', cut);
      const { problems } = judgePassedOver(reads, settleMs, judged);
      judgeCoverage(expect, 'limits.byte-cap-loses-nothing', { judged: cut.judged, problems });
    },
  ),
];

/**
 * Ends the check when pages of small messages pass over some: no byte cap explains that. Gives the place of the last of
 * them.
 */
async function requireSmallPagesWhole(context: InChannel): Promise<bigint> {
  const { from } = await channelSeries(context);
  const first = await context.channel.readPage(from, 8);
  const places = [from, ...sequencesOf(first.items)];
  const singles = () => singlesAfter(context.channel, places, 2 * places.length);
  const reads = [...(await singles()), await context.channel.readPage(from, 8), ...(await singles())];
  if (judgePassedOver(reads, 0).problems.length > 0)
    unmet('pages of small messages lose some', first.exchange);
  return highestOf(placesOf(reads)) ?? from;
}

function placesOf(pages: readonly PageRead[]): readonly bigint[] {
  return pages.flatMap(({ items }) => sequencesOf(items));
}
