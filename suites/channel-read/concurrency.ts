import type { PageItem, PageRead } from '../../harness/stream/page.ts';
import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import { given } from '../../harness/verdict/outcome.ts';
import { findIn } from '../../harness/stream/stream-view.ts';
import type { Draft } from '../../harness/stream/stream-view.ts';
import { judgeCursorNeverSkips, judgePassedOver } from '../../oracles/pages/coverage.ts';
import { judgeDistinctInWalk } from '../../oracles/pages/order.ts';
import { highestOf, sequencesOf } from '../../oracles/pages/read-page.ts';
import { eventually } from '../arrange/eventually.ts';
import { judgeCoverage, judgeShown, lookTwice, requireSound } from '../arrange/channel-read/judging.ts';
import { pageOf, pagesOf } from '../arrange/channel-read/readers.ts';
import { follow } from '../arrange/follow.ts';
import { channelNeeds, fromBefore, hasAll, pagesFrom, sendOne } from '../arrange/channel-read/series.ts';
import type { InChannel } from '../arrange/channel-read/series.ts';

/** Sends in flight at once, and how often. */
const sendsInFlight = 12;
const rounds = 2;

/** What many senders at once leave behind, and what those who read meanwhile have seen. */
export const concurrencyChecks: readonly Check[] = [
  // service.sent-is-readable: A message whose send was accepted can be read back from its channel.
  check(
    'channel-read.cursor-never-skips',
    {
      title: 'a reader that follows the cursor while many messages are sent at once misses none of them',
      clauses: [
        'service.sent-is-readable',
        'channel-read.no-duplicate-sequence',
        'channel-read.cursor-never-skips',
      ],
      needs: channelNeeds,
      // Some are longer than others: what takes longer to store must not come to light below what was quicker.
      bodyBytes: 80_000,
    },
    async (context) => {
      const { author, expect, optional, settleMs } = context;
      const { from, drafts, around, following } = await sendWhileFollowed(context);
      const whole = () => pagesFrom(context, from);
      const settled = await eventually(context, whole, (pages) => hasAll(pages, [...drafts, ...around]));
      const readers = [author, optional('reader') ?? author];
      const items = ownIn(settled, [...drafts, ...around]);
      const end = highestOf(sequencesOf(items)) ?? 0n;
      // What others wrote behind them is no matter of this check.
      const isBehind = ({ nextAfter }: PageRead): boolean => (nextAfter ?? 0n) >= end;
      const walks = readers.map((reader) => pagesOf(context, reader, from, 10, isBehind));
      const small = (await Promise.all(walks)).flat();
      requireSound(settled, 'channel-read.no-duplicate-sequence');
      expect.judgement('channel-read.no-duplicate-sequence', judgeDistinctInWalk(settled));
      judgeShown(expect, { drafts, around, last: settled, earlier: [...following, ...small] });

      // What a quiet reader passes over as well is no matter of time.
      const again = await whole();
      const quiet = [...settled, ...small, ...again];
      given(judgePassedOver(quiet, 0).problems.length === 0, 'a quiet reader misses messages as well');
      requireSound([...following, ...quiet]);
      const known = [again];
      const { reads } = await lookTwice(
        context,
        { whole: async () => known.pop() ?? whole(), judged: async () => following },
        (looked) => judgeCursorNeverSkips(looked.reads, 0).problems.length > 0,
      );
      judgeCoverage(expect, 'channel-read.cursor-never-skips', judgeCursorNeverSkips(reads, settleMs));
    },
  ),
];

function ownIn(pages: readonly PageRead[], drafts: readonly Draft[]): readonly PageItem[] {
  const items = pages.flatMap((page) => page.items);
  return drafts.flatMap((draft) => findIn(items, draft) ?? []);
}

/** Messages sent at once, and the pages of two readers who followed the channel meanwhile. */
interface Followed {
  readonly from: bigint;
  readonly drafts: readonly Draft[];
  /** One of each sender's that was readable before, and one sent afterwards. */
  readonly around: readonly Draft[];
  readonly following: readonly PageRead[];
}

async function sendWhileFollowed(context: InChannel): Promise<Followed> {
  const { author, optional } = context;
  const senders = [author, optional('reader') ?? author];
  const from = await fromBefore(context);
  const before = await Promise.all(senders.map((sender) => sendOne(context, sender)));
  await eventually(
    context,
    () => pagesFrom(context, from),
    (pages) => hasAll(pages, before),
  );
  const sending = sendAtOnce(context, senders);
  const [drafts, ...following] = await Promise.all([
    sending,
    ...senders.map((sender) =>
      follow(
        (cursor) => pageOf(context, sender, { after: cursor, limit: 100 }),
        from,
        sending,
        () => context.clock.pause(2),
      ),
    ),
  ]);
  const after = await sendOne(context, author);
  return { from, drafts, around: [...before, after], following: following.flat() };
}

async function sendAtOnce(context: InChannel, senders: readonly InChannel['author'][]): Promise<Draft[]> {
  const drafts: Draft[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const lanes = Array.from({ length: sendsInFlight }, (_, lane) => senders[lane % senders.length]);
    const sends = lanes.map((sender, lane) =>
      sendOne(context, sender ?? context.author, lane % 3 === 0 ? 'a longer text '.repeat(600) : undefined),
    );
    // The second round begins when the first was acknowledged.
    drafts.push(...(await Promise.all(sends)));
  }
  return drafts;
}
