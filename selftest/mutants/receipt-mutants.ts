import { contractRules } from '../../reference/rules/rules.ts';
import type { Receipt } from '../../reference/rules/receipts.ts';
import { mutant, ruleMutants, type Mutant } from './base/mutant.ts';
import { objectOf, refusal, spoilBody, spoilSuccess } from './base/spoil-answer.ts';

/** Who is said to have retrieved a message, and in which order. */
export const receiptMutants: readonly Mutant[] = [
  mutant(
    'listings-forget-who-reported',
    'receipts.reported-agent-is-listed',
    'messages among the mentions show nobody as having retrieved them',
    {
      rules: {
        presentMessage: (message, route) =>
          route === 'mentions' ? { ...message, receipts: { retrieved: { agent_ids: [] } } } : message,
      },
    },
  ),
  ...ruleMutants([
    [
      'reading-records',
      'receipts.client-reported',
      'reading a channel records retrievals',
      { recordsRetrievalOnRead: (route) => route === 'read' },
    ],
    [
      'receipts-by-uuid',
      'receipts.agent-ids.ordered',
      'agents are listed by UUID',
      { compareReceipts: (left, right) => (left.agentId < right.agentId ? -1 : 1) },
    ],
    [
      'receipts-newest-first',
      'receipts.agent-ids.ordered',
      'agents are listed from the latest report on',
      { compareReceipts: (left, right) => Number(right.sequence - left.sequence) },
    ],
    [
      'receipts-by-last-report',
      'receipts.agent-ids.ordered',
      'an agent that reports again goes to the end',
      { keepsFirstReport: () => false },
    ],
    [
      'author-is-listed',
      'receipts.agent-ids.no-author',
      'the author is listed when it reports',
      { isPreviewed: () => true },
    ],
    [
      'more-is-always-said',
      'receipts.has-more.only-beyond-the-preview',
      'has_more is true with every preview',
      { presentReceipts: (ids) => ({ retrieved: { agent_ids: [...ids], has_more: true } }) },
    ],
    [
      'more-is-said-of-some',
      'receipts.has-more.only-beyond-the-preview',
      'has_more is true as soon as an agent is listed',
      {
        presentReceipts: (ids) => ({
          retrieved: { agent_ids: [...ids], ...(ids.length > 0 && { has_more: true as const }) },
        }),
      },
    ],
    [
      'more-is-said-at-32',
      'receipts.has-more.only-beyond-the-preview',
      'has_more is true when the preview is full',
      {
        presentReceipts: (ids, isMore) => ({
          retrieved: {
            agent_ids: [...ids],
            ...((isMore || ids.length === 32) && { has_more: true as const }),
          },
        }),
      },
    ],
    [
      'more-is-never-said',
      'receipts.has-more.when-beyond-the-preview',
      'has_more is never there',
      { presentReceipts: (ids) => ({ retrieved: { agent_ids: [...ids] } }) },
    ],
    [
      'preview-is-empty',
      'receipts.empty-means-none-recorded',
      'the preview is empty whoever reported',
      { presentReceipts: () => ({ retrieved: { agent_ids: [] } }) },
    ],
    [
      'preview-begins-with-two',
      'receipts.empty-means-none-recorded',
      'the preview is empty until two agents have reported',
      { presentReceipts: (ids, isMore) => contractRules.presentReceipts(ids.length > 1 ? ids : [], isMore) },
    ],
    [
      'reports-are-lost',
      'receipts.reported-agent-is-listed',
      'only the first report of a message counts',
      { presentReceipts: (ids, isMore) => contractRules.presentReceipts(ids.slice(0, 1), isMore) },
    ],
    [
      'agents-without-a-human-are-not-listed',
      'receipts.reported-agent-is-listed',
      'of several agents the last to report is not listed',
      {
        presentReceipts: (ids, isMore) =>
          contractRules.presentReceipts(ids.length > 1 ? ids.slice(0, -1) : ids, isMore),
      },
    ],
    ['preview-of-33', 'receipts.agent-ids.max', 'the preview lists 33 agents', { previewSize: () => 33 }],
  ]),
  mutant(
    'receipts-change-places',
    'receipts.agent-ids.ordered',
    'the agent that was recorded last is listed before the others',
    {
      rules: {
        presentReceipts: (ids, isMore) =>
          contractRules.presentReceipts(
            ids.length > 1 ? [ids.at(-1) ?? '', ...ids.slice(0, -1)] : ids,
            isMore,
          ),
      },
    },
  ),
  mutant(
    'receipts-are-shuffled',
    'receipts.agent-ids.ordered',
    'agents are listed in another order each time',
    () => {
      let reads = 0;
      return {
        rules: {
          compareReceipts: (left: Receipt, right: Receipt) =>
            ((reads += 1) % 2 === 0 ? 1 : -1) * Number(left.sequence - right.sequence),
        },
      };
    },
  ),
  ...ruleMutants([
    [
      'preview-slides',
      'receipts.agent-ids.earlier-is-a-prefix',
      'the preview has the agent that was recorded last, and says that there are more',
      {
        presentReceipts: (ids, isMore) =>
          contractRules.presentReceipts(ids.slice(-1), isMore || ids.length > 1),
      },
    ],
    [
      'preview-closes',
      'receipts.agent-ids.earlier-is-a-prefix',
      'from the second agent on the preview lists nobody, and says that there are more',
      {
        presentReceipts: (ids, isMore) =>
          contractRules.presentReceipts(ids.length > 1 ? [] : ids, isMore || ids.length > 1),
      },
    ],
  ]),
  mutant('receipts-list-is-404', 'receipts-list.answers', 'the call for receipts is not found', {
    answer: spoilSuccess('receipts', () => refusal(404)),
  }),
  mutant('receipts-list-is-500', 'receipts-list.answers', 'the call for receipts fails', {
    answer: spoilSuccess('receipts', () => refusal(500)),
  }),
  mutant('receipts-list-is-501', 'receipts-list.answers', 'the call for receipts is not implemented', {
    answer: spoilSuccess('receipts', () => refusal(501)),
  }),
  mutant('receipts-list-is-empty', 'receipts-list.paginates-all', 'the list of receipts is empty', {
    answer: listed(() => []),
  }),
  mutant(
    'receipts-list-lacks-the-first',
    'receipts-list.paginates-all',
    'every page of receipts lacks its first',
    { answer: listed((items) => items.slice(1)) },
  ),
  mutant(
    'receipts-list-lacks-the-last',
    'receipts-list.paginates-all',
    'every page of receipts lacks its last',
    { answer: listed((items) => items.slice(0, -1)) },
  ),
  mutant(
    'receipts-list-has-one-page',
    'receipts-list.paginates-all',
    'the list of receipts ends with its first page of two',
    {
      answer: spoilBody('receipts', (body) => ({
        ...body,
        receipts: listOf(body['receipts']).slice(0, 2),
        page: { ...objectOf(body['page']), has_more: false },
      })),
    },
  ),
  mutant(
    'receipts-list-skips',
    'receipts-list.paginates-all',
    'the next cursor of the receipts is one too far',
    {
      answer: spoilBody('receipts', (body) => ({
        ...body,
        page: { ...objectOf(body['page']), next_after: Number(objectOf(body['page'])['next_after']) + 1 },
      })),
    },
  ),
];

function listed(change: (items: readonly unknown[]) => readonly unknown[]): ReturnType<typeof spoilBody> {
  return spoilBody('receipts', (body) => ({ ...body, receipts: change(listOf(body['receipts'])) }));
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
