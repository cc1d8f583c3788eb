import { check, type Check } from '../../harness/check/check.ts';
import { given } from '../../harness/verdict/outcome.ts';
import { previewIn, type Preview } from '../../spec/oracles/answers/receipts.ts';
import { asLongAsThereIsHope, settle } from '../arrange/eventually.ts';
import { seekListed } from '../arrange/mentions/listed.ts';
import { mention, mentionNeeds } from '../arrange/mentions/mentioning.ts';
import { agentTarget } from '../arrange/send/proof.ts';
import { messageIdOf, report, requireReported, seePreview } from '../arrange/receipts/reports.ts';

/** What a message among the mentions shows of the agents that reported. */
export const mentionedReceiptChecks: readonly Check[] = [
  // receipts.reported-agent-is-listed: An agent that reported its retrieval shows up with the message in a
  //   later fetch.
  check(
    'receipts.agent-that-reported-is-listed-with-the-mention',
    {
      title:
        'an agent that reported its retrieval is listed with the message among the mentions as well, and nobody is announced there before',
      clauses: ['receipts.reported-agent-is-listed', 'receipts.has-more.only-beyond-the-preview'],
      needs: [...mentionNeeds, 'report-receipt-binding'],
    },
    async (context) => {
      const { author, bindings, channel, expect, feedOf, reader } = context;
      const feed = await feedOf(reader, author);
      const start = { channel: await channel.since(), feed: await feed.since() };
      const target = await agentTarget(context, reader);
      const draft = await mention(context, { from: author, channelId: channel.id, targets: [target] });
      const item = await channel.arrival(draft);
      const look = async () => {
        const { found, exchanges } = await seekListed(context, feed, start.feed, [item]);
        return { exchanges, preview: previewIn(found[0]?.message['receipts']) };
      };
      const early = await look();
      await settle(context);
      const sent = { draft, from: start.channel };
      const still = await seePreview(context, channel, sent, () => true);
      // Where its channel shows later that nobody is recorded, nobody was before.
      if (early.preview !== undefined && still.preview.agentIds.length === 0 && !still.preview.hasMore) {
        const none = { expected: 'no has_more: nobody is recorded', actual: 'has_more among the mentions' };
        expect.holds(
          'receipts.has-more.only-beyond-the-preview',
          !early.preview.hasMore,
          none,
          ...early.exchanges,
          still.exchange,
        );
      }
      const about = { bindings, channelId: channel.id, messageId: messageIdOf(item) };
      requireReported(await report(reader, about));
      const lists = ({ agentIds, hasMore }: Preview): boolean =>
        hasMore || agentIds.includes(target.id.toLowerCase());
      const { preview, exchange } = await seePreview(context, channel, sent, lists);
      given(lists(preview), 'the channel does not list the agent that reported', exchange);

      const isListed = (each: Awaited<ReturnType<typeof look>>): boolean =>
        each.preview !== undefined && lists(each.preview);
      const seen = await asLongAsThereIsHope(context, look, {
        isEnough: isListed,
        isNothing: (each) => each.preview !== undefined && !isListed(each),
      });
      given(seen.preview !== undefined, 'the mentions show no receipts', seen.exchanges[0]);
      const problem = {
        expected: `${target.id}, which its channel lists`,
        actual: `${seen.preview.agentIds.length} others among the mentions`,
      };
      expect.holds('receipts.reported-agent-is-listed', lists(seen.preview), problem, ...seen.exchanges);
    },
  ),
];
