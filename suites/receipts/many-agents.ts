import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import { unmet } from '../../harness/verdict/outcome.ts';
import { judgeMoreBeyond, judgeMoreOnlyBeyond } from '../../oracles/answers/receipts.ts';
import type { Preview } from '../../oracles/answers/receipts.ts';
import { firstAgents, requireAccepted } from '../arrange/send/accepted-sends.ts';
import { messageIdOf, report, requireReported, seePreview } from '../arrange/receipts/reports.ts';

/** As many as a preview may list, and one more. */
const mostListed = 32;

/** What only a workspace with many agents shows. */
export const manyAgentsChecks: readonly Check[] = [
  // receipts.has-more.when-beyond-the-preview: `has_more` is true when more agents are recorded than the
  //   preview lists.
  check(
    'receipts.more-agents-than-fit-are-announced',
    {
      title:
        'a message that 33 agents reported says that there are more than it lists, one that 32 reported does not',
      clauses: ['receipts.has-more.when-beyond-the-preview', 'receipts.has-more.only-beyond-the-preview'],
      needs: ['provision-hook', 'report-receipt-binding'],
    },
    async ({ bindings, clock, draft, expect, provision, settleMs }) => {
      const fresh = await provision({ agents: mostListed + 1, isShared: true });
      const { channel, identities } = fresh;
      const agents = firstAgents(fresh, mostListed + 1);
      const ids = await Promise.all(
        agents.map(async (agent) => (await identities.agentId(agent)).toLowerCase()),
      );
      const popular = draft();
      const from = await channel.since();
      requireAccepted(await fresh.actor('author').send(channel.id, popular.text));
      const about = {
        bindings,
        channelId: channel.id,
        messageId: messageIdOf(await channel.arrival(popular)),
      };
      const reportAs = async (first: number, end: number, isEnough: (preview: Preview) => boolean) => {
        requireReported(
          ...(await Promise.all(agents.slice(first, end).map((agent) => report(agent, about)))),
        );
        return seePreview({ settleMs, clock }, channel, { draft: popular, from }, isEnough);
      };

      const few = await reportAs(0, 2, ({ agentIds, hasMore }) => hasMore || agentIds.length === 2);
      if (few.preview.agentIds.length < 2 && !few.preview.hasMore)
        unmet('of two agents that reported not both are listed', few.exchange);
      const full = await reportAs(2, mostListed, ({ agentIds }) => agentIds.length === mostListed);
      const recorded = ids.slice(0, mostListed);
      const whole = judgeMoreOnlyBeyond([
        { reporters: recorded, recorded, preview: full.preview, hasOtherRecords: false },
      ]);
      expect.judgement('receipts.has-more.only-beyond-the-preview', whole, full.exchange);

      const over = await reportAs(mostListed, mostListed + 1, ({ hasMore }) => hasMore);
      const beyond = judgeMoreBeyond(ids, over.preview);
      expect.judgement('receipts.has-more.when-beyond-the-preview', beyond, over.exchange);
    },
  ),
];
