import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import { unarranged } from '../../harness/verdict/outcome.ts';
import { judgeListed } from '../../oracles/answers/receipts.ts';
import { reportedMessages } from '../arrange/receipts/reported.ts';

const readings = [
  { slug: 'read-from-its-start', which: 'whole', how: 'from its start' },
  { slug: 'read-one-by-one', which: 'shortPages', how: 'with one on each page' },
] as const;

/** The full list of retrievals. */
export const fullListChecks: readonly Check[] = readings.map(({ slug, which, how }) =>
  check(
    `receipts-list.brings-every-report-${slug}`,
    {
      title: `the receipts of a channel, read ${how}, hold every retrieval that messages show`,
      clauses: ['receipts-list.paginates-all'],
      needs: ['author', 'reader', 'channel', 'report-receipt-binding', 'list-receipts-binding'],
    },
    async (context) => {
      const { lists, messages } = await reportedMessages(context);
      const { answers, problem } = lists[which];
      const bodies = answers.map(({ response }) => response?.json);
      const judgement = judgeListed(messages, bodies);
      // What is missing from a list that goes on in a way which is not shown may come there.
      if (judgement.problems.length > 0 && problem !== undefined)
        unarranged(`the list could not be read to its end: ${problem}`, answers.at(-1));
      context.expect.judgement('receipts-list.paginates-all', judgement, ...answers.slice(-2));
    },
  ),
);
