import { isAccepted } from '../../harness/client/exchange.ts';
import type { PageItem } from '../../harness/stream/page.ts';
import type { Walk } from '../../harness/stream/walk.ts';
import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import { describeAnswer, given, unmet } from '../../harness/verdict/outcome.ts';
import type { StreamView } from '../../harness/stream/stream-view.ts';
import { judgeReachesBackAsFar } from '../../oracles/answers/feed.ts';
import { seekListed } from '../arrange/mentions/listed.ts';
import { exchangesOf, mention, mentionNeeds } from '../arrange/mentions/mentioning.ts';
import { agentTarget } from '../arrange/send/proof.ts';
import { mentionSeries } from '../arrange/mentions/series.ts';

/** What a listing reaches, with a cursor and without one. */
export const mentionCoverageChecks: readonly Check[] = [
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
