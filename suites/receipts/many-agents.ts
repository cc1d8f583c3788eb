import { check, type Check } from '../../harness/check/check.ts';
import type { Exchange } from '../../harness/client/exchange.ts';
import type { Context } from '../../harness/check/context.ts';
import { given, unmet } from '../../harness/verdict/outcome.ts';
import {
  judgeMoreBeyond,
  judgeMoreOnlyBeyond,
  judgeReportersListed,
  type Preview,
} from '../../spec/oracles/answers/receipts.ts';
import { lastAgents, requireAccepted } from '../arrange/send/accepted-sends.ts';
import { apartMs, messageIdOf, report, requireReported, seePreview } from '../arrange/receipts/reports.ts';

/** As many as a preview may list. */
const mostListed = 32;
/** Beyond those more than one: of a window that slides the first leave one after the other. */
const beyondAtMost = 3;
/** Messages of one page and agents that report each: together more than a round number that a query for the retrievals of a page may end at. */
const crowded = 4;
const ofEachOnAPage = 26;

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
    async (context) => {
      const { expect } = context;
      const { messageId, reportAs, ids } = await popularMessage(context, mostListed + 1);
      // One of them twice: agents count, not their reports.
      await reportAs(0, 1, ({ agentIds }) => agentIds.length > 0);
      const full = await reportAs(0, mostListed, ({ agentIds }) => agentIds.length === mostListed);
      if (full.preview.agentIds.length < 2 && !full.preview.hasMore)
        unmet('of the agents that reported not even two are listed', full.exchange);
      const recorded = ids.slice(0, mostListed);
      const whole = judgeMoreOnlyBeyond([
        { messageId, reporters: recorded, recorded, preview: full.preview, hasOtherRecords: false },
      ]);
      expect.judgement('receipts.has-more.only-beyond-the-preview', whole, full.exchange);

      const over = await reportAs(mostListed, mostListed + 1, ({ hasMore }) => hasMore);
      const beyond = judgeMoreBeyond({ messageId, reporters: ids, preview: over.preview });
      expect.judgement('receipts.has-more.when-beyond-the-preview', beyond, over.exchange);
    },
  ),
  // receipts.has-more.when-beyond-the-preview: `has_more` is true when more agents are recorded than the
  //   preview lists.
  check(
    'receipts.author-that-reported-takes-no-place',
    {
      title:
        'where the author reported before all others, 32 of those are listed as without it, and from the 33rd on there are more',
      clauses: ['receipts.has-more.when-beyond-the-preview'],
      arranges: ['receipts.agent-ids.earlier-is-a-prefix', 'receipts.agent-ids.no-author'],
      needs: ['provision-hook', 'report-receipt-binding'],
    },
    async (context) => {
      const { sleep } = context;
      const popular = await popularMessage(context, mostListed + beyondAtMost);
      const { messageId, reportAs, reportAsAuthor, ids } = popular;
      await reportAsAuthor();
      const full = await reportAs(0, mostListed, ({ agentIds }) => agentIds.length === mostListed);
      if (full.preview.agentIds.length < 2 && !full.preview.hasMore)
        unmet('of the agents that reported not even two are listed', full.exchange);
      const recorded = ids.slice(0, mostListed);
      expectMoreBeyond(context, { messageId, reporters: recorded }, full);

      // Of two recorded within one second, as far as the server's clock tells, the order is by id.
      await sleep(apartMs(context));
      const one = await reportAs(mostListed, mostListed + 1, ({ hasMore }) => hasMore);
      expectMoreBeyond(context, { messageId, reporters: ids.slice(0, mostListed + 1) }, one);
      const over = await reportAs(mostListed + 1, ids.length, ({ hasMore }) => hasMore);
      expectMoreBeyond(context, { messageId, reporters: ids }, over);
    },
  ),
  // receipts.reported-agent-is-listed: An agent that reported its retrieval shows up with the message in a
  //   later fetch.
  check(
    'receipts.page-of-a-hundred-retrievals-lists-all',
    {
      title:
        'messages on one page that over a hundred retrievals are recorded of list all that reported them',
      clauses: ['receipts.reported-agent-is-listed'],
      needs: ['provision-hook', 'report-receipt-binding'],
    },
    async (context) => {
      const popular = await popularMessages(context, { agents: ofEachOnAPage, messages: crowded });
      await Promise.all(popular.map(({ ids, reportAs }) => reportAs(0, ids.length, () => true)));
      const seen = await Promise.all(
        popular.map(async ({ messageId, ids, see }) => {
          const isWhole = ({ agentIds, hasMore }: Preview): boolean =>
            hasMore || ids.every((id) => agentIds.includes(id));
          return { messageId, ids, ...(await see(isWhole)) };
        }),
      );
      const isShown = seen.some(({ ids, preview }) => ids.some((id) => preview.agentIds.includes(id)));
      given(isShown, 'a reported retrieval is shown nowhere: see bindings.report_receipt', seen[0]?.exchange);
      const judgement = judgeReportersListed(
        seen.map(({ messageId, ids, preview }) => ({
          messageId,
          reporters: ids,
          preview,
          recorded: undefined,
          hasOtherRecords: false,
        })),
      );
      const reads = seen.map(({ exchange }) => exchange);
      context.expect.judgement('receipts.reported-agent-is-listed', judgement, ...reads);
    },
  ),
];

interface Seen {
  readonly preview: Preview;
  readonly exchange: Exchange;
}

function expectMoreBeyond(
  { expect }: Pick<Context<never>, 'expect'>,
  { messageId, reporters }: { readonly messageId: string; readonly reporters: readonly string[] },
  { preview, exchange }: Seen,
): void {
  // While all fit nothing lies beyond.
  if (reporters.length <= mostListed && reporters.every((agent) => preview.agentIds.includes(agent))) return;
  const beyond = judgeMoreBeyond({ messageId, reporters, preview });
  expect.judgement('receipts.has-more.when-beyond-the-preview', beyond, exchange);
}

/** One of {@link popularMessages}, beside nobody. */
async function popularMessage(context: Context<'provision-hook'>, agents: number) {
  const [popular] = await popularMessages(context, { agents, messages: 1 });
  return popular ?? unmet('hooks.provision made no channel to send to');
}

/** Messages one after another in a workspace that others do not read, and so many agents there that may report them; their ids in lower case. */
async function popularMessages(
  { bindings, clock, draft, provision, settleMs }: Context<'provision-hook'>,
  count: { readonly agents: number; readonly messages: number },
) {
  const fresh = await provision({ agents: count.agents, isShared: true });
  const { channel, identities } = fresh;
  const agents = lastAgents(fresh, count.agents);
  const ids = await Promise.all(agents.map(async (agent) => (await identities.agentId(agent)).toLowerCase()));
  const drafts = Array.from({ length: count.messages }, () => draft());
  const from = await channel.since();
  const author = fresh.actor('author');
  requireAccepted(...(await Promise.all(drafts.map(({ text }) => author.send(channel.id, text)))));
  const items = await channel.arrivals(drafts);
  return drafts.flatMap((popular, at) => {
    const item = items[at];
    if (item === undefined) return [];
    const messageId = messageIdOf(item);
    const about = { bindings, channelId: channel.id, messageId };
    /** What the message shows once it is enough. */
    const see = (isEnough: (preview: Preview) => boolean): Promise<Seen> =>
      seePreview({ settleMs, clock }, channel, { draft: popular, from }, isEnough);
    return {
      messageId,
      ids,
      see,
      reportAsAuthor: async () => requireReported(await report(author, about)),
      /** Reports by some of the agents, and what the message then shows. */
      reportAs: async (first: number, end: number, isEnough: Parameters<typeof see>[0]): Promise<Seen> => {
        requireReported(
          ...(await Promise.all(agents.slice(first, end).map((agent) => report(agent, about)))),
        );
        return see(isEnough);
      },
    };
  });
}
