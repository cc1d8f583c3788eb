import type { PageItem } from '../../harness/stream/page.ts';
import type { Walk } from '../../harness/stream/walk.ts';
import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import { given } from '../../harness/verdict/outcome.ts';
import { judgeSameOrder } from '../../oracles/answers/feed.ts';
import { judgeAscending } from '../../oracles/pages/order.ts';
import { exchangesOf, mention, mentionNeeds, ownItems } from '../arrange/mentions/mentioning.ts';
import { agentTarget } from '../arrange/send/proof.ts';

/** What a feed shows agrees with the channel and with other feeds. */
export const mentionAgreementChecks: readonly Check[] = [
  // mentions.feeds-agree-on-order: Two feeds list the messages they share in one order.
  check(
    'mentions.feeds-agree-on-the-order',
    {
      title: 'two agents find the messages that name both of them in one order',
      clauses: ['mentions.feeds-agree-on-order'],
      needs: [...mentionNeeds, 'peer'],
    },
    async (context) => {
      const { author, reader, peer, channel, expect, feedOf } = context;
      const feeds = [await feedOf(reader, author), await feedOf(peer, author)] as const;
      const targets = [await agentTarget(context, reader), await agentTarget(context, peer)];
      const naming = { from: author, channelId: channel.id, targets };
      const from = await Promise.all(feeds.map((feed) => feed.since()));
      const drafts = await Promise.all([1, 2, 3, 4].map(() => mention(context, naming)));
      await Promise.all(feeds.map((feed) => feed.arrivals(drafts)));
      const read = async (): Promise<readonly [Walk, Walk]> => [
        await feeds[0].walk(from[0]),
        await feeds[1].walk(from[1]),
      ];
      const [one, other] = await read();
      const again = await read();
      const own = ({ items }: Walk): PageItem[] => ownItems(items, drafts);
      const isSteady = [one, other].every((walk, index) => {
        const later = again[index] ?? walk;
        return (
          judgeSameOrder(own(walk), own(later)).problems.length === 0 &&
          judgeAscending(own(walk)).problems.length === 0
        );
      });
      given(isSteady, 'a feed has no steady order of its own', one.pages[0]?.exchange);
      const evidence = exchangesOf([...one.pages, ...other.pages]);
      expect.judgement('mentions.feeds-agree-on-order', judgeSameOrder(own(one), own(other)), ...evidence);
    },
  ),
];
