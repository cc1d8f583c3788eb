import { type Exchange, isAccepted } from '../../harness/client/exchange.ts';
import { check, type Check } from '../../harness/check/check.ts';
import { given } from '../../harness/verdict/outcome.ts';
import {
  judgeEmpty,
  judgeMoreOnlyBeyond,
  judgeReportersListed,
} from '../../spec/oracles/answers/receipts.ts';
import type { Judgement } from '../../spec/oracles/values/judgement.ts';
import { reportedLongBefore, reportedMessages } from '../arrange/receipts/reported.ts';
import { cursorBefore, seePreview } from '../arrange/receipts/reports.ts';
import { requireAccepted } from '../arrange/send/accepted-sends.ts';
import { wrongLast } from '../arrange/wrong-last.ts';

const needs = ['author', 'reader', 'channel', 'report-receipt-binding'] as const;

/** What a preview has to agree with the full list about. */
const beside = [
  {
    slug: 'recorded-retrieval-is-listed-or-announced',
    title: 'a message with a recorded retrieval shows an agent, or says that there are more',
    clause: 'receipts.empty-means-none-recorded',
    judge: judgeEmpty,
  },
  {
    slug: 'complete-preview-announces-no-more',
    title: 'a preview that lists every recorded agent does not say that there are more',
    clause: 'receipts.has-more.only-beyond-the-preview',
    judge: judgeMoreOnlyBeyond,
  },
] as const;

/** What a message shows of the agents that reported. */
export const previewChecks: readonly Check[] = [
  // receipts.reported-agent-is-listed: An agent that reported its retrieval shows up with the message in a
  //   later fetch.
  check(
    'receipts.agent-that-reported-is-listed',
    {
      title: 'an agent that reported its retrieval is listed with the message from then on',
      clauses: ['receipts.reported-agent-is-listed'],
      arranges: [
        'receipts.agent-ids.ordered',
        'receipts.agent-ids.ordered-by-time',
        'receipts.agent-ids.earlier-is-a-prefix',
        'receipts.agent-ids.no-author',
      ],
      needs,
    },
    async (context) => {
      const { messages } = await reportedMessages(context);
      const listed = judgeReportersListed(messages);
      const reads = readsOf(messages, judgeReportersListed);
      context.expect.judgement('receipts.reported-agent-is-listed', listed, ...reads);
      const isListed = messages.some((each) => each.isReportedByAuthor && each.preview.agentIds.length > 0);
      given(isListed, 'no message that its author reported lists anybody');
    },
  ),
  ...beside.map(({ slug, title, clause, judge }) =>
    // ids: receipts.<slug>
    // slug: suites/receipts/previews.ts
    // receipts.empty-means-none-recorded: An empty preview without a true `has_more` stands for no recorded
    //   retrieval at all.
    // receipts.has-more.only-beyond-the-preview: `has_more` is not true when the preview already lists every
    //   recorded agent.
    check(
      `receipts.${slug}`,
      { title, clauses: [clause], needs: [...needs, 'list-receipts-binding'] },
      async (context) => {
        const { messages } = await reportedMessages(context);
        context.expect.judgement(clause, judge(messages), ...readsOf(messages, judge));
      },
    ),
  ),
  // receipts.client-reported: Reading a channel does not by itself put the reader among the retrievals.
  check(
    'receipts.reading-without-reporting-is-not-listed',
    {
      // The judges leave out whoever has ever reported in the channel, which may be the only one.
      title: 'an agent that read a message without reporting it is not listed with it',
      clauses: ['receipts.client-reported'],
      needs,
    },
    async (context) => {
      const { author, channel, draft, expect, identities, reader, settleMs, sleep } = context;
      const from = await channel.since();
      const readerId = (await identities.agentId(reader)).toLowerCase();
      const unreported = draft();
      requireAccepted(await author.send(channel.id, unreported.text));
      const after = cursorBefore(await channel.arrival(unreported));
      const read = await reader.readChannel(channel.id, { after, limit: 1 });
      given(isAccepted(read), 'the reader could not read the channel', read);
      await sleep(settleMs);
      const sent = { draft: unreported, from };
      const { preview, exchange } = await seePreview(context, channel, sent, () => true);
      const isListed = preview.agentIds.includes(readerId);
      const problem = { expected: 'a reader that reported nothing is not listed', actual: `${readerId} is` };
      expect.holds('receipts.client-reported', !isListed, problem, exchange);
      await reportedMessages(context);
      if (context.optionalHook('restart-hook') !== undefined) await reportedLongBefore(context);
    },
  ),
];

/** The reads that showed messages, that of one at fault last. */
function readsOf<Message extends { readonly evidence: Exchange }>(
  messages: readonly Message[],
  judge: (each: readonly Message[]) => Judgement,
): readonly Exchange[] {
  const isWrong = (each: Message): boolean => judge([each]).problems.length > 0;
  return wrongLast(messages, isWrong).map(({ evidence }) => evidence);
}
