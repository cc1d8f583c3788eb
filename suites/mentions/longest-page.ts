import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import { unarranged } from '../../harness/verdict/outcome.ts';
import { judgeMessagesWithinLimit } from '../../oracles/answers/feed.ts';
import { allOf } from '../../oracles/values/judgement.ts';
import { severalTimes } from '../arrange/several-times.ts';
import { exchangesOf, mention, ownItems, requirePages } from '../arrange/mentions/mentioning.ts';

/** The largest limit of a listing. */
const largestLimit = 100;

/** What only a feed with more mentions than the largest limit shows. */
export const mentionLongestPageChecks: readonly Check[] = [
  check(
    'mentions.no-more-than-a-hundred',
    {
      title: 'a listing with the largest limit has a hundred mentions at most, where there are more',
      clauses: ['mentions.limit.respected'],
      needs: ['provision-hook', 'mentions-binding'],
    },
    async (context) => {
      const { expect, provision } = context;
      const fresh = await provision();
      const [author, reader] = [fresh.actor('author'), fresh.actor('reader')];
      const feed = await fresh.feedOf(reader, author);
      const from = await feed.since();
      const targets = [{ kind: 'agent', id: await fresh.identities.agentId(reader) }];
      const naming = { from: author, channelId: fresh.channel.id, targets };
      const drafts = await severalTimes(largestLimit + 1, () => mention(context, naming));
      await feed.arrivals(drafts);
      const pages = await Promise.all([
        feed.readPage(from, largestLimit),
        feed.readPage(0n, largestLimit),
        feed.readPage(undefined, largestLimit),
      ]);
      requirePages(...pages);
      const { items } = await feed.walk(from, { limit: largestLimit / 2 });
      if (ownItems(items, drafts).length < drafts.length)
        unarranged('the feed does not keep a hundred mentions', pages[0]?.exchange);
      const judgement = allOf(pages.map(judgeMessagesWithinLimit));
      expect.judgement('mentions.limit.respected', judgement, ...exchangesOf(pages));
    },
  ),
];
