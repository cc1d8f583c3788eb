import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import { given } from '../../harness/verdict/outcome.ts';
import { judgeEmpty, judgeMoreOnlyBeyond, judgeReportersListed } from '../../oracles/answers/receipts.ts';
import { reportedMessages } from '../arrange/receipts/reported.ts';

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
        'receipts.agent-ids.earlier-is-a-prefix',
        'receipts.agent-ids.no-author',
      ],
      needs,
    },
    async (context) => {
      const { messages } = await reportedMessages(context);
      const reads = messages.map(({ evidence }) => evidence);
      const listed = judgeReportersListed(messages);
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
        const reads = messages.map(({ evidence }) => evidence);
        context.expect.judgement(clause, judge(messages), ...reads);
      },
    ),
  ),
];
