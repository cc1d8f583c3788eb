import { isRecord } from '../../calls/index.ts';
import type { PageItem, PageRead } from '../../harness/stream/page.ts';
import { findIn, type Draft, type StreamView } from '../../harness/stream/stream-view.ts';
import { check, type Check } from '../../harness/check/check.ts';
import { given, unmet } from '../../harness/verdict/outcome.ts';
import { judgeHoldsAll } from '../../oracles/pages/items.ts';
import { asText } from '../../oracles/values/json-texts.ts';
import type { Judgement } from '../../oracles/values/judgement.ts';
import { eventually, settle } from '../arrange/eventually.ts';
import { exchangesOf, mention, mentionNeeds, ownItems } from '../arrange/mentions/mentioning.ts';
import { agentTarget } from '../arrange/send/proof.ts';

/** What a feed shows when it is read again. */
export const mentionRepetitionChecks: readonly Check[] = [
  // mentions.records-no-retrieval: Listing mentions does not put the caller among the retrievals of a
  //   message.
  check(
    'mentions.listing-records-no-retrieval',
    {
      title: 'listing a mention does not put the caller among those who retrieved the message',
      clauses: ['mentions.records-no-retrieval'],
      needs: mentionNeeds,
      // Another check that reads the channel as the reader might be what puts it there, or list what this one does not.
      isExclusive: true,
    },
    async (context) => {
      const { author, reader, channel, expect, feedOf } = context;
      const feed = await feedOf(reader, author);
      const target = await agentTarget(context, reader);
      const naming = { from: author, channelId: channel.id, targets: [target] };
      // Another program with the token of the reader that reports what mentions it reports what came first as well.
      const before = await channel.since();
      const older = await mention(context, naming);
      await channel.arrival(older);
      await settle(context);
      const named = await mention(context, naming);
      await channel.arrival(named);
      await settle(context);
      given(
        await isListedAlone(feed, named, older),
        'no newest page shows a mention without the one before it',
      );
      await settle(context);
      const { pages } = await channel.walk(before);
      const [unlisted, listed] = [older, named].map((draft) =>
        findIn(
          pages.flatMap(({ items }) => items),
          draft,
        ),
      );
      const isNamed = retrieversOf(unlisted)?.includes(target.id.toLowerCase()) === true;
      given(!isNamed, 'the reader is said to have retrieved what it was never given');
      const retrievers = retrieversOf(listed) ?? unmet('the server shows no receipts');
      const problem = {
        expected: `not the reader, ${target.id}, which reported nothing`,
        actual: retrievers.join(', '),
      };
      expect.holds(
        'mentions.records-no-retrieval',
        !retrievers.includes(target.id.toLowerCase()),
        problem,
        ...exchangesOf(pages),
      );
    },
  ),
  // mentions.acknowledges-nothing: Listing mentions again with the same parameters returns them again.
  check(
    'mentions.listing-acknowledges-nothing',
    {
      title: 'the same listing twice returns the same mentions twice',
      clauses: ['mentions.acknowledges-nothing'],
      needs: mentionNeeds,
      // Nobody else reads the feed in between.
      isExclusive: true,
      sharesSettling: true,
    },
    async (context) => {
      const { author, reader, channel, expect, feedOf } = context;
      const feed = await feedOf(reader, author);
      const from = await feed.since();
      const naming = { from: author, channelId: channel.id, targets: [await agentTarget(context, reader)] };
      const drafts = [await mention(context, naming), await mention(context, naming)];
      await channel.arrivals(drafts);
      await settle(context);
      const newest = await feed.readPage(undefined, 10);
      const last =
        newest.items.at(-1)?.sequence ?? unmet('a page without a cursor is empty', newest.exchange);
      // What came meanwhile lies higher; anything lower is what the first listing left, unless a replica lags behind.
      const reachesIt = ({ items }: PageRead): boolean => (items.at(-1)?.sequence ?? -1n) >= last;
      const newestAgain = await eventually(context, () => feed.readPage(undefined, 10), reachesIt);
      const page = await feed.readPage(from, 10);
      const holdsAll = ({ items }: PageRead): Judgement =>
        judgeHoldsAll(ownItems(items, drafts), ownItems(page.items, drafts));
      const pageAgain = await eventually(
        context,
        () => feed.readPage(from, 10),
        (read) => holdsAll(read).problems.length === 0,
      );
      const isKept = reachesIt(newestAgain);
      const problem = {
        expected: `a mention at ${last} or above`,
        actual: `none above ${String(newestAgain.items.at(-1)?.sequence)}`,
      };
      expect.holds('mentions.acknowledges-nothing', isKept, problem, newest.exchange, newestAgain.exchange);
      const again = holdsAll(pageAgain);
      expect.judgement('mentions.acknowledges-nothing', again, page.exchange, pageAgain.exchange);
    },
  ),
];

/** So many newer mentions of others may stand on the newest page. */
const mostNewer = 4;

/** Whether the newest page, made longer bit by bit, shows a mention and not the one before it. */
async function isListedAlone(feed: StreamView, named: Draft, older: Draft): Promise<boolean> {
  for (let limit = 1; limit <= 1 + mostNewer; limit += 1) {
    const { items } = await feed.readPage(undefined, limit);
    if (ownItems(items, [older]).length > 0) return false;
    if (ownItems(items, [named]).length > 0) return true;
  }
  return false;
}

/** The agents that the preview of a message lists; `undefined` when it has none. */
function retrieversOf(item: PageItem | undefined): readonly string[] | undefined {
  const receipts = item?.message['receipts'];
  const retrieved = isRecord(receipts) ? receipts['retrieved'] : undefined;
  const ids = isRecord(retrieved) ? retrieved['agent_ids'] : undefined;
  return Array.isArray(ids) ? ids.map((id) => asText(id).toLowerCase()) : undefined;
}
