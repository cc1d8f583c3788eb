import type { Choices } from '../choices/choices.ts';
import { plain, showing } from './mutant.ts';
import type { HistoryMutant } from './mutant.ts';

function withReceipts(drawn: Choices): Choices {
  return { ...plain(drawn), receipts: 'fresh' };
}

/** Retrievals that nobody reported, and reported ones that are shown otherwise. */
export const receiptMutants: readonly HistoryMutant[] = [
  ...showing('receipt-on-read', {
    'of the feed': {
      clauses: ['mentions.records-no-retrieval', 'receipts.client-reported'],
      choices: withReceipts,
      rules: () => ({ recordsRead: ({ call }) => call === 'mentions' }),
    },
    'of a channel': {
      clauses: ['receipts.client-reported'],
      choices: withReceipts,
      rules: () => ({ recordsRead: ({ call }) => call === 'channel-read' }),
    },
  }),
  ...showing('receipt-author', {
    'it is listed': {
      clauses: ['receipts.agent-ids.no-author'],
      consequences: ['receipt-on-read', 'receipt-order', 'receipts-shrink'],
      choices: withReceipts,
      rules: () => ({
        receipts: (agents, { author }) => (author?.id === undefined ? agents : [...agents, author.id]),
      }),
    },
  }),
  ...showing('receipt-order', {
    'the newest first': {
      clauses: ['receipts.agent-ids.earlier-is-a-prefix', 'receipts.agent-ids.ordered'],
      consequences: ['receipts-shrink'],
      choices: withReceipts,
      rules: () => ({ receipts: (agents) => agents.toReversed() }),
    },
  }),
  ...showing('receipts-shrink', {
    'the first is forgotten now and then': {
      clauses: ['receipts.agent-ids.earlier-is-a-prefix', 'receipts.empty-means-none-recorded'],
      consequences: ['receipt-order'],
      choices: withReceipts,
      rules: (random) => ({ receipts: (agents) => (random.chance(0.3) ? agents.slice(1) : agents) }),
    },
  }),
];
