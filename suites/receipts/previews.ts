import { isAccepted } from '../../harness/client/exchange.ts';
import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import { given, unmet } from '../../harness/verdict/outcome.ts';
import { allOf } from '../../oracles/values/judgement.ts';
import {
  judgeEmpty,
  judgeMoreOnlyBeyond,
  judgeOrder,
  judgePrefix,
  judgeReportersListed,
} from '../../oracles/answers/receipts.ts';
import { requireAccepted } from '../arrange/send/accepted-sends.ts';
import { reportedMessages } from '../arrange/receipts/reported.ts';
import { seePreview } from '../arrange/receipts/reports.ts';

/** What a message shows of the agents that reported. */
export const previewChecks: readonly Check[] = [
  // receipts.reported-agent-is-listed: An agent that reported its retrieval shows up with the message in a
  //   later fetch.
  check(
    'receipts.agent-that-reported-is-listed',
    {
      title: 'an agent that reported its retrieval is listed with the message from then on',
      clauses: ['receipts.reported-agent-is-listed'],
      needs: ['author', 'reader', 'channel', 'report-receipt-binding'],
    },
    async (context) => {
      const { messages } = await reportedMessages(context);
      const evidence = messages.flatMap((each) => each.evidence.slice(-1));
      context.expect.judgement(
        'receipts.reported-agent-is-listed',
        judgeReportersListed(messages),
        ...evidence,
      );
    },
  ),
  // receipts.empty-means-none-recorded: An empty preview without a true `has_more` stands for no recorded
  //   retrieval at all.
  check(
    'receipts.recorded-retrieval-is-listed-or-announced',
    {
      title: 'a message with a recorded retrieval shows an agent, or says that there are more',
      clauses: ['receipts.empty-means-none-recorded'],
      needs: ['author', 'reader', 'channel', 'report-receipt-binding', 'list-receipts-binding'],
    },
    async (context) => {
      const { messages } = await reportedMessages(context);
      const evidence = messages.flatMap((each) => each.evidence.slice(-1));
      context.expect.judgement('receipts.empty-means-none-recorded', judgeEmpty(messages), ...evidence);
    },
  ),
  // receipts.agent-ids.ordered: Agents are listed in the order in which the server first recorded them.
  check(
    'receipts.agents-are-listed-in-the-order-of-first-reports',
    {
      title: 'agents are listed in the order of their first reports, and a further report changes nothing',
      clauses: ['receipts.agent-ids.ordered', 'receipts.agent-ids.earlier-is-a-prefix'],
      needs: ['author', 'reader', 'peer', 'channel', 'report-receipt-binding'],
    },
    async (context) => {
      const { messages } = await reportedMessages(context);
      const evidence = messages.flatMap((each) => each.evidence);
      context.expect.judgement('receipts.agent-ids.ordered', judgeOrder(messages), ...evidence);
      const prefixes = allOf(messages.map(({ early, preview }) => judgePrefix(early, preview)));
      context.expect.judgement('receipts.agent-ids.earlier-is-a-prefix', prefixes, ...evidence);
    },
  ),
  // receipts.agent-ids.no-author: The author of a message is never among the agents listed with it.
  check(
    'receipts.the-author-is-not-listed',
    {
      title: 'the author of a message that reports its retrieval is not listed with it',
      clauses: ['receipts.agent-ids.no-author'],
      needs: ['author', 'reader', 'channel', 'report-receipt-binding'],
    },
    async ({ expect, ...context }) => {
      const { messages } = await reportedMessages({ expect, ...context });
      const [message] = messages.filter(
        ({ isReportedByAuthor, preview }) => isReportedByAuthor && preview.agentIds.length > 0,
      );
      given(message !== undefined, 'no message that its author reported lists anybody');
      const { authorId, preview, evidence } = message;
      const isListed = messages.some((each) => each.preview.agentIds.includes(authorId));
      const problem = { expected: 'no author among the agents listed', actual: preview.agentIds.join(', ') };
      expect.holds('receipts.agent-ids.no-author', !isListed, problem, ...evidence.slice(-1));
    },
  ),
  // receipts.has-more.only-beyond-the-preview: `has_more` is not true when the preview already lists every
  //   recorded agent.
  check(
    'receipts.complete-preview-announces-no-more',
    {
      title: 'a preview that lists every recorded agent does not say that there are more',
      clauses: ['receipts.has-more.only-beyond-the-preview'],
      needs: ['author', 'reader', 'channel', 'report-receipt-binding', 'list-receipts-binding'],
    },
    async (context) => {
      const { messages } = await reportedMessages(context);
      const evidence = messages.flatMap((each) => each.evidence.slice(-1));
      context.expect.judgement(
        'receipts.has-more.only-beyond-the-preview',
        judgeMoreOnlyBeyond(messages),
        ...evidence,
      );
    },
  ),
  // receipts.client-reported: Reading a channel does not by itself put the reader among the retrievals.
  check(
    'receipts.reading-without-reporting-is-not-listed',
    {
      title: 'an agent that read a message without reporting it is not listed with it',
      clauses: ['receipts.client-reported'],
      needs: ['author', 'reader', 'channel', 'report-receipt-binding'],
    },
    async (context) => {
      const { author, channel, draft, expect, identities, reader, settleMs, sleep } = context;
      const from = await channel.since();
      const readerId = (await identities.agentId(reader)).toLowerCase();
      const unreported = draft();
      requireAccepted(await author.send(channel.id, unreported.text));
      const { sequence } = await channel.arrival(unreported);
      const after = (sequence ?? unmet('a message shows no usable sequence')) - 1n;
      const read = await reader.readChannel(channel.id, { after, limit: 1 });
      given(isAccepted(read), 'the reader could not read the channel', read);
      await sleep(settleMs);
      const { preview, exchange } = await seePreview(
        context,
        channel,
        { draft: unreported, from },
        () => true,
      );
      const isListed = preview.agentIds.includes(readerId);
      const problem = { expected: 'a reader that reported nothing is not listed', actual: `${readerId} is` };
      expect.holds('receipts.client-reported', !isListed, problem, exchange);
      await reportedMessages(context);
    },
  ),
];
