import { isAccepted } from '../../harness/client/exchange.ts';
import type { PageItem } from '../../harness/stream/page.ts';
import type { Walk } from '../../harness/stream/walk.ts';
import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import { describeAnswer, given, unmet } from '../../harness/verdict/outcome.ts';
import type { StreamView } from '../../harness/stream/stream-view.ts';
import {
  judgeCursorNeverSkips,
  judgeMoreWhileItemsRemain,
  judgeNewestPage,
  judgePassedOver,
} from '../../oracles/pages/coverage.ts';
import { defaultLimit, judgeNothingComesAgain, judgeReachesBackAsFar } from '../../oracles/answers/feed.ts';
import { allOf } from '../../oracles/values/judgement.ts';
import { judgeWithinLimit } from '../../oracles/pages/order.ts';
import { settle } from '../arrange/eventually.ts';
import { seekListed } from '../arrange/mentions/listed.ts';
import { exchangesOf, mention, mentionNeeds, ownItems } from '../arrange/mentions/mentioning.ts';
import { agentTarget } from '../arrange/send/proof.ts';
import type { Mentioning } from '../arrange/mentions/mentioning.ts';
import { mentionSeries, quietMentions, readAmid, requireOwnNumbers } from '../arrange/mentions/series.ts';
import type { MentionSeries } from '../arrange/mentions/series.ts';

/** What a listing reaches, with a cursor and without one. */
export const mentionCoverageChecks: readonly Check[] = [
  // mentions.newest-page: Without `after`, no match newer than the first one listed is missing, within
  //   `limit` and the byte cap.
  check(
    'mentions.newest-page-has-the-newest',
    {
      title: 'without a cursor the newest mentions are listed, with nothing newer left out',
      clauses: ['mentions.newest-page'],
      needs: mentionNeeds,
    },
    async (context) => {
      const { reader, author, expect, feedOf, settleMs } = context;
      const quiet = await quietMentions(context);
      requireOwnNumbers(quiet);
      const feed = await feedOf(author, reader);
      const { judged, reads } = await readAmid(context, feed, quiet, async () => {
        const newest = [await feed.readPage(undefined, 1), await feed.readPage(undefined, 3)];
        // Pages of that length with a cursor tell whether a hole has anything to do with the cursor.
        return [...newest, ...(await feed.walk(quiet.after, { limit: 3 })).pages];
      });
      const isLonger = allOf(judged.map(judgeWithinLimit)).problems.length > 0;
      given(!isLonger, 'pages are longer than their limit', judged[0]?.exchange);
      const withCursor = judgePassedOver(
        reads.filter(({ after }) => after !== undefined),
        settleMs,
      );
      given(withCursor.problems.length === 0, 'pages with a cursor have holes as well', judged[0]?.exchange);
      // Pages with a cursor are complete here, so that what is found is wrong with those without one.
      const judgements = [
        judgeNewestPage(reads, settleMs, defaultLimit),
        judgePassedOver(reads, settleMs),
        judgeMoreWhileItemsRemain(reads, settleMs),
      ];
      if (allOf(judgements).problems.length > 0) await requireSteadyNewest(context, feed, quiet);
      expect.judgement('mentions.newest-page', allOf(judgements), ...exchangesOf(judged));
    },
  ),
  // mentions.after.zero-is-oldest: With `after` 0 the listing begins with the oldest mention that is
  //   retained.
  check(
    'mentions.after-zero-starts-at-the-oldest',
    {
      title: 'a listing after 0 begins no later than any mention known to be retained',
      clauses: ['mentions.after.zero-is-oldest'],
      needs: mentionNeeds,
    },
    async (context) => {
      const { reader, author, expect, feedOf } = context;
      const series = await mentionSeries(context);
      const feed = await feedOf(reader, author);
      const { pages, items, isComplete } = await firstAfter(feed, 0n);
      const [first] = items;
      const last = pages.at(-1)?.exchange;
      given(last !== undefined && isAccepted(last), 'a listing after 0 was not accepted', last);
      given(first !== undefined || isComplete, 'a listing after 0 came to no item', last);
      const { items: later } = await feed.walk(series.after);
      const oldest = series.items.find(({ id }) => later.some((item) => item.id === id));
      const reach = oldest?.sequence ?? unmet('no mention of the series is retained');
      const isNoLater = (item: PageItem | undefined): boolean =>
        item?.sequence !== undefined && item.sequence <= reach;
      const isOldest = isNoLater(first);
      const again = isOldest
        ? []
        : [await firstAfter(feed, 0n), await firstAfter(feed, 0n), await firstAfter(feed, 0n)];
      given(
        !again.some((walk) => isNoLater(walk.items[0])),
        'listings after 0 begin at different places',
        last,
      );
      const problem = {
        expected: `a first mention at ${reach} or before, where one is retained`,
        actual: first === undefined ? 'no mention' : `a first mention at ${String(first.sequence)}`,
      };
      expect.holds('mentions.after.zero-is-oldest', isOldest, problem, ...exchangesOf(pages));
    },
  ),
  // mentions.after.zero-is-oldest: With `after` 0 the listing begins with the oldest mention that is
  //   retained.
  check(
    'mentions.after-zero-starts-no-later-than-after-one',
    {
      title: 'a listing after 0 begins no later than one after 1',
      clauses: ['mentions.after.zero-is-oldest'],
      needs: mentionNeeds,
    },
    async (context) => {
      const { reader, author, expect, feedOf } = context;
      await mentionSeries(context);
      const feed = await feedOf(reader, author);
      // In turn, lest the oldest go meanwhile; a server that does not take 1 as a cursor decides nothing.
      const before = await firstAfter(feed, 0n);
      const fromOne = [await firstAfter(feed, 1n), await firstAfter(feed, 1n)];
      const fromZero = [before, await firstAfter(feed, 0n), await firstAfter(feed, 0n)];
      const judgement = judgeReachesBackAsFar(fromZero, fromOne);
      const evidence = exchangesOf([...before.pages, ...fromOne.flatMap(({ pages }) => pages)]);
      expect.judgement('mentions.after.zero-is-oldest', judgement, ...evidence);
    },
  ),
  // mentions.after.exclusive: Every listed mention has a `sequence` greater than `after`.
  check(
    'mentions.cursor-is-exclusive',
    {
      title: 'going on after next_after returns nothing that was listed before',
      clauses: ['mentions.after.exclusive'],
      needs: mentionNeeds,
    },
    async (context) => {
      const { reader, author, expect, feedOf } = context;
      const series = await mentionSeries(context);
      const feed = await feedOf(reader, author);
      const { pages } = await feed.walk(series.after, { limit: 7, maxPages: 4 });
      expect.judgement('mentions.after.exclusive', judgeNothingComesAgain(pages), ...exchangesOf(pages));
      // At the end of a feed where nothing follows.
      const quiet = await quietMentions(context);
      const quietFeed = await feedOf(author, reader);
      const { pages: whole, nextAfter: end } = await quietFeed.walk(quiet.after);
      const chain = [...whole, await quietFeed.readPage(end, 10)];
      expect.judgement('mentions.after.exclusive', judgeNothingComesAgain(chain), ...exchangesOf(chain));
    },
  ),
  // mentions.walk-is-complete: Following `next_after` while `has_more` is true passes over no matching
  //   mention.
  check(
    'mentions.walk-misses-nothing',
    {
      title: 'following next_after in small pages returns every mention that is there',
      clauses: ['mentions.walk-is-complete'],
      needs: mentionNeeds,
    },
    async (context) => {
      const { reader, author, expect, feedOf, settleMs } = context;
      const series = await mentionSeries(context);
      requireOwnNumbers(series);
      const feed = await feedOf(reader, author);
      const { judged, reads } = await readAmid(context, feed, series, async () => {
        const walks = await Promise.all([
          feed.walk(series.after, { limit: 7 }),
          feed.walk(series.after, { limit: 50 }),
        ]);
        return walks.flatMap(({ pages }) => pages);
      });
      const own = reads.map((page) => ({ ...page, items: ownItems(page.items, series.drafts) }));
      expect.judgement('mentions.walk-is-complete', judgePassedOver(own, settleMs), ...exchangesOf(judged));
    },
  ),
  // mentions.cursor-never-skips: A mention never becomes visible below a cursor that was already given out.
  check(
    'mentions.cursor-never-skips',
    {
      title: 'a reader that follows the cursor while mentions are being sent misses none of them',
      clauses: ['mentions.cursor-never-skips'],
      needs: mentionNeeds,
    },
    async (context) => {
      const { reader, author, expect, feedOf, settleMs } = context;
      const series = await mentionSeries(context);
      const feed = await feedOf(reader, author);
      // What is passed over now that all is quiet is no matter of time.
      const again = await feed.walk(series.after, { limit: 7 });
      await settle(context);
      const { pages } = await feed.walk(series.after);
      const passedOver = judgePassedOver([...series.pages, ...again.pages, ...pages], settleMs);
      const isComplete = passedOver.problems.length === 0;
      given(isComplete, 'a quiet reader misses mentions as well', again.pages[0]?.exchange);
      const reads = series.pages.map((page) => ({ ...page, items: ownItems(page.items, series.drafts) }));
      expect.judgement(
        'mentions.cursor-never-skips',
        judgeCursorNeverSkips(reads, settleMs),
        ...exchangesOf(series.following),
      );
    },
  ),
  // mentions.issued-cursor-is-no-conflict: An `after` of 0, or one that this feed issued, does not get a 409.
  check(
    'mentions.issued-cursors-meet-no-conflict',
    {
      title: 'a listing after 0, after a mention or after next_after is not a conflict',
      clauses: ['mentions.issued-cursor-is-no-conflict'],
      needs: mentionNeeds,
      // The last event of the workspace, if nothing else goes on, is the mention that is asked for.
      isExclusive: true,
    },
    async (context) => {
      const { reader, author, channel, expect, feedOf } = context;
      const feed = await feedOf(reader, author);
      const targets = [await agentTarget(context, reader)];
      const named = await mention(context, { from: author, channelId: channel.id, targets });
      // Asked for without a cursor: any cursor may be what is in conflict.
      const { found } = await seekListed(context, feed, undefined, [await channel.arrival(named)]);
      const { sequence } = found[0] ?? unmet('a mention is not listed without a cursor');
      const { nextAfter } = await feed.readPage(undefined, 1);
      const listings = await Promise.all([
        reader.mentions({ after: 0, limit: 1 }),
        reader.mentions({ after: sequence, limit: 1 }),
        reader.mentions({ after: nextAfter, limit: 1 }),
      ]);
      const conflict = listings.find(({ response }) => response?.status === 409);
      const problem = { expected: 'no conflict', actual: describeAnswer(conflict ?? listings[0]) };
      expect.holds(
        'mentions.issued-cursor-is-no-conflict',
        conflict === undefined,
        problem,
        conflict ?? listings[0],
      );
    },
  ),
];

/** Reads from a cursor to the first page with a mention on it. */
function firstAfter(feed: StreamView, after: bigint): Promise<Walk> {
  return feed.walk(after, { limit: 5, until: (page) => page.items.length > 0 });
}

/** Ends the check when it is not always the newest that a page without a cursor lacks: a feed that lags, or forgets. */
async function requireSteadyNewest(
  context: Mentioning,
  feed: StreamView,
  quiet: MentionSeries,
): Promise<void> {
  const { author, reader, channel } = context;
  const again = [await feed.readPage(undefined, 3), await feed.readPage(undefined, 3)];
  const hasCaughtUp = again.some((page) => ownItems(page.items, quiet.drafts).length === 3);
  given(!hasCaughtUp, 'one look lacks the newest mentions, the next one has them', again[0]?.exchange);
  const targets = [await agentTarget(context, author)];
  const fresh = await mention(context, { from: reader, channelId: channel.id, targets });
  const looks = [
    await feed.readPage(undefined, 3),
    await feed.readPage(undefined, 3),
    await feed.readPage(undefined, 3),
  ];
  const shown = looks.map(({ items }) => ownItems(items, [fresh]).length > 0);
  given(!shown.includes(true) || shown.every(Boolean), 'a mention is not listed twice', looks[0]?.exchange);
}
