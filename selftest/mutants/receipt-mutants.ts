import type { Agent } from '../../reference/model/principals.ts';
import { contractRules } from '../../reference/rules/rules.ts';
import type { Receipt } from '../../reference/rules/receipts.ts';
import { latestRestart } from './base/latest-restart.ts';
import { breaking, what, type Mutant } from './base/mutant.ts';
import { objectOf, refusal, spoilBody, spoilSuccess } from './base/spoil-answer.ts';

/** Who is said to have retrieved a message, and in which order. */
export const receiptRuleMutants: readonly Mutant[] = breaking({
  'receipts.reported-agent-is-listed': {
    'listings-forget-who-reported': what('messages among the mentions show nobody as having retrieved them', {
      presentMessage: (message, route) =>
        route === 'mentions' ? { ...message, receipts: { retrieved: { agent_ids: [] } } } : message,
    }),
    'reports-are-lost': what('only the first report of a message counts', {
      presentReceipts: (ids, isMore) => contractRules.presentReceipts(ids.slice(0, 1), isMore),
    }),
    'agents-without-a-human-are-not-listed': what('of several agents the last to report is not listed', {
      presentReceipts: (ids, isMore) =>
        contractRules.presentReceipts(ids.length > 1 ? ids.slice(0, -1) : ids, isMore),
    }),
  },
  'receipts.siblings-of-the-author-are-listed': {
    'siblings-of-the-author-are-not-listed': what(
      'who is of the human of the author is taken for the author, and not listed',
      () => {
        const humans = new Map<string, string | null>();
        return {
          capturedAgentId: (agent: Agent) => {
            humans.set(agent.id, agent.humanUserId);
            return agent.id;
          },
          isPreviewed: ({ agentId }: Receipt, authorId: string) =>
            agentId !== authorId && (humans.get(agentId) ?? agentId) !== humans.get(authorId),
        };
      },
    ),
  },
  'receipts.client-reported': { 'reading-records': { recordsRetrievalOnRead: (route) => route === 'read' } },
  'receipts.agent-ids.ordered': {
    'receipts-by-uuid': { compareReceipts: (left, right) => (left.agentId < right.agentId ? -1 : 1) },
    'receipts-are-timed-from-the-start': what('the time of a receipt counts from the last restart', () => {
      const restart = latestRestart();
      return {
        lostAtRestart: restart.note,
        recordedMs: (nowMs: number) => nowMs - restart.atMs(),
      };
    }),
    'receipts-newest-first': { compareReceipts: (left, right) => Number(right.sequence - left.sequence) },
    'receipts-by-last-report': { keepsFirstReport: () => false },
    'receipts-change-places': what('the agent that was recorded last is listed before the others', {
      presentReceipts: (ids, isMore) =>
        contractRules.presentReceipts(ids.length > 1 ? [ids.at(-1) ?? '', ...ids.slice(0, -1)] : ids, isMore),
    }),
    'receipts-are-shuffled': what('agents are listed in another order each time', () => {
      let reads = 0;
      return {
        compareReceipts: (left: Receipt, right: Receipt) =>
          ((reads += 1) % 2 === 0 ? 1 : -1) * Number(left.sequence - right.sequence),
      };
    }),
  },
  'receipts.agent-ids.no-author': {
    'author-is-listed': what('the author is listed when it reports', { isPreviewed: () => true }),
  },
  'receipts.has-more.only-beyond-the-preview': {
    'more-is-always-said': what('has_more is true with every preview', {
      presentReceipts: (ids) => ({ retrieved: { agent_ids: [...ids], has_more: true } }),
    }),
    'more-is-said-of-some': what('has_more is true as soon as an agent is listed', {
      presentReceipts: (ids) => ({
        retrieved: { agent_ids: [...ids], ...(ids.length > 0 && { has_more: true as const }) },
      }),
    }),
    'listings-say-more-of-nobody': what('among the mentions nobody is listed, and more are announced', {
      presentMessage: (message, route) =>
        route === 'mentions'
          ? { ...message, receipts: { retrieved: { agent_ids: [], has_more: true } } }
          : message,
    }),
    'more-is-said-at-32': what('has_more is true when the preview is full', {
      presentReceipts: (ids, isMore) => ({
        retrieved: { agent_ids: [...ids], ...((isMore || ids.length === 32) && { has_more: true as const }) },
      }),
    }),
  },
  'receipts.survive-a-restart': {
    'restart-forgets-receipts': what('a restart forgets who retrieved a message', () => {
      const restart = latestRestart();
      return {
        lostAtRestart: restart.note,
        isPreviewed: (receipt: Receipt, authorId: string) =>
          contractRules.isPreviewed(receipt, authorId) && receipt.recordedMs > restart.atMs(),
      };
    }),
  },
  'receipts.has-more.when-beyond-the-preview': {
    'more-is-never-said': { presentReceipts: (ids) => ({ retrieved: { agent_ids: [...ids] } }) },
    'the-author-takes-a-place': what(
      'of 33 retrievals that are looked at one may be the author’s, so that a 33rd of others is not announced',
      () => {
        let author = '';
        return {
          previewSize: () => 33,
          isPreviewed: (_receipt: Receipt, authorId: string) => {
            author = authorId;
            return true;
          },
          presentReceipts: (ids: readonly string[]) => {
            const others = ids.filter((id) => id !== author);
            return contractRules.presentReceipts(others.slice(0, 32), others.length > 32);
          },
        };
      },
    ),
    'more-is-said-from-35-on': {
      previewSize: () => 34,
      presentReceipts: (ids, isMore) => contractRules.presentReceipts(ids.slice(0, 32), isMore),
    },
  },
  'receipts.empty-means-none-recorded': {
    'preview-is-empty': { presentReceipts: () => ({ retrieved: { agent_ids: [] } }) },
    'preview-begins-with-two': what('the preview is empty until two agents have reported', {
      presentReceipts: (ids, isMore) => contractRules.presentReceipts(ids.length > 1 ? ids : [], isMore),
    }),
  },
  'receipts.agent-ids.max': {
    'preview-of-33': what('the preview lists 33 agents', { previewSize: () => 33 }),
  },
  'receipts.agent-ids.earlier-is-a-prefix': {
    'preview-slides': what('the preview has the agent that was recorded last, and says that there are more', {
      presentReceipts: (ids, isMore) =>
        contractRules.presentReceipts(ids.slice(-1), isMore || ids.length > 1),
    }),
    'preview-is-of-the-latest': what('of more than 33 agents those are listed that were recorded last', {
      previewSize: () => 1000,
      presentReceipts: (ids) => contractRules.presentReceipts(ids.slice(-33).slice(0, 32), ids.length > 32),
    }),
    'agents-without-access-are-not-previewed': {
      isPreviewed: ({ agentId }, authorId, agent) => agentId !== authorId && agent?.()?.hasAccess === true,
    },
  },
  'receipts-list.answers': {
    'receipts-list-is-404': { answer: spoilSuccess('receipts', () => refusal(404)) },
    'receipts-list-is-500': { answer: spoilSuccess('receipts', () => refusal(500)) },
    'receipts-list-is-501': { answer: spoilSuccess('receipts', () => refusal(501)) },
    'only-mentions-show-receipts-and-the-list-is-405': what(
      'the list of receipts is 405, and only messages among the mentions show any',
      {
        rules: {
          presentMessage: ({ receipts, ...message }, route) =>
            route === 'mentions' && receipts !== undefined ? { ...message, receipts } : message,
        },
        answer: spoilSuccess('receipts', () => refusal(405)),
      },
    ),
    'receipts-show-once-reported-and-the-list-is-405': what(
      'the list of receipts is 405, and messages show receipts once there are some',
      {
        rules: {
          presentReceipts: (ids, isMore) =>
            ids.length > 0 ? contractRules.presentReceipts(ids, isMore) : undefined,
        },
        answer: spoilSuccess('receipts', () => refusal(405)),
      },
    ),
    'receipts-vanish-and-the-list-is-405': what(
      'the list of receipts is 405, and no message shows receipts any more once one has been read',
      () => {
        let reads = 0;
        return {
          rules: {
            presentMessage: ({ receipts, ...message }) =>
              (reads += 1) < 100 && receipts !== undefined ? { ...message, receipts } : message,
          },
          answer: spoilSuccess('receipts', () => refusal(405)),
        };
      },
    ),
  },
  'receipts-list.paginates-all': {
    'receipts-list-is-empty': what('the list of receipts is empty', { answer: listed(() => []) }),
    'receipts-list-lacks-the-first': { answer: listed((items) => items.slice(1)) },
    'receipts-list-lacks-the-last': { answer: listed((items) => items.slice(0, -1)) },
    'receipts-list-has-one-page': what('the list of receipts ends with its first page of two', {
      answer: spoilBody('receipts', (body) => ({
        ...body,
        receipts: listOf(body['receipts']).slice(0, 2),
        page: { ...objectOf(body['page']), has_more: false },
      })),
    }),
    'receipts-list-skips': what('the next cursor of the receipts is one too far', {
      answer: spoilBody('receipts', (body) => ({
        ...body,
        page: { ...objectOf(body['page']), next_after: Number(objectOf(body['page'])['next_after']) + 1 },
      })),
    }),
  },
});

function listed(change: (items: readonly unknown[]) => readonly unknown[]): ReturnType<typeof spoilBody> {
  return spoilBody('receipts', (body) => ({ ...body, receipts: change(listOf(body['receipts'])) }));
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
