import { describe, expect, it } from 'vitest';
import { contractRules } from '../../../reference/index.ts';
import type { Answer } from '../../../reference/index.ts';
import { receiptsChecks } from '../../../suites/receipts/index.ts';
import { findingsOf, notPassed, runAgainst } from '../run-suite.ts';
import { caughtBy, runBroken } from '../send/broken.ts';
import type { Broken } from '../send/broken.ts';

type Listing = { receipts: unknown[]; page?: unknown };

/** The list of receipts with some left out. */
const listing = (answer: Answer, keep: (receipts: unknown[]) => unknown[]): Answer => {
  const body = answer.body as Listing;
  return { ...answer, body: { ...body, receipts: keep(body.receipts) } };
};

const broken: readonly Broken[] = [
  {
    name: 'only the first agent is listed, and nothing said of the others',
    rules: () => ({ presentReceipts: (ids) => ({ retrieved: { agent_ids: ids.slice(0, 1) } }) }),
    findings: ['receipts.reported-agent-is-listed failed'],
  },
  {
    name: 'nobody is listed with a message among the mentions',
    rules: () => ({
      presentMessage: (message, route) =>
        route === 'mentions' ? { ...message, receipts: { retrieved: { agent_ids: [] } } } : message,
    }),
    findings: ['receipts.reported-agent-is-listed failed'],
  },
  {
    name: 'nobody is ever listed',
    rules: () => ({ presentReceipts: () => ({ retrieved: { agent_ids: [] } }) }),
    findings: ['receipts.empty-means-none-recorded failed'],
  },
  {
    name: 'agents are listed by their ids, ascending',
    rules: () => ({ compareReceipts: (left, right) => (left.agentId < right.agentId ? -1 : 1) }),
    findings: ['receipts.agent-ids.ordered failed'],
  },
  {
    name: 'agents are listed by their ids, descending',
    rules: () => ({ compareReceipts: (left, right) => (left.agentId < right.agentId ? 1 : -1) }),
    findings: ['receipts.agent-ids.ordered failed'],
  },
  {
    name: 'the last agent is listed first',
    rules: () => ({ compareReceipts: (left, right) => right.recordedMs - left.recordedMs }),
    findings: ['receipts.agent-ids.ordered failed'],
  },
  {
    name: 'a second report counts as the first one',
    rules: () => ({ keepsFirstReport: () => false }),
    findings: ['receipts.agent-ids.ordered failed'],
  },
  {
    name: 'the agent of the last report alone is listed',
    rules: () => ({
      previewSize: () => 1,
      compareReceipts: (left, right) => right.recordedMs - left.recordedMs,
    }),
    findings: ['receipts.agent-ids.earlier-is-a-prefix warned'],
  },
  {
    name: 'the author is listed like anybody',
    rules: () => ({ isPreviewed: () => true }),
    findings: ['receipts.agent-ids.no-author failed'],
  },
  {
    name: 'more are always announced',
    rules: () => ({
      presentReceipts: (ids) => ({ retrieved: { agent_ids: [...ids], has_more: true } }),
    }),
    findings: ['receipts.has-more.only-beyond-the-preview failed'],
  },
  {
    name: 'more are announced as soon as a preview is full',
    rules: () => ({
      presentReceipts: (ids, isMore) => ({
        retrieved: { agent_ids: [...ids], ...((isMore || ids.length === 32) && { has_more: true as const }) },
      }),
    }),
    findings: ['receipts.has-more.only-beyond-the-preview failed'],
  },
  {
    name: 'nobody is listed until two agents reported',
    rules: () => ({
      presentReceipts: (ids, isMore) => contractRules.presentReceipts(ids.length > 1 ? ids : [], isMore),
    }),
    findings: ['receipts.empty-means-none-recorded failed'],
  },
  {
    name: 'more are never announced',
    rules: () => ({ presentReceipts: (ids) => ({ retrieved: { agent_ids: [...ids] } }) }),
    findings: ['receipts.has-more.when-beyond-the-preview failed'],
  },
  {
    name: 'more are announced from the 35th agent on',
    rules: () => ({
      previewSize: () => 34,
      presentReceipts: (ids, isMore) => ({
        retrieved: { agent_ids: ids.slice(0, 32), ...(isMore && { has_more: true as const }) },
      }),
    }),
    findings: ['receipts.has-more.when-beyond-the-preview failed'],
  },
  {
    name: 'a preview lists 33 agents',
    rules: () => ({ previewSize: () => 33 }),
    findings: ['receipts.agent-ids.max failed'],
  },
  {
    name: 'agents are listed twice',
    rules: () => ({
      presentReceipts: (ids) => ({ retrieved: { agent_ids: [...ids, ...ids].slice(0, 32) } }),
    }),
    only: ['receipts.agents-are-listed-in-the-order-of-first-reports'],
    findings: ['receipts.agent-ids.unique failed'],
  },
  {
    name: 'a preview says has_more false',
    rules: () => ({
      presentReceipts: (ids, isMore) =>
        ({ retrieved: { agent_ids: [...ids], has_more: isMore } }) as unknown as {
          retrieved: { agent_ids: string[] };
        },
    }),
    findings: ['receipts.has-more.only-true warned'],
  },
  {
    name: 'reading a channel is a report',
    rules: () => ({ recordsRetrievalOnRead: (route) => route === 'read' }),
    findings: ['receipts.client-reported warned'],
  },
  {
    name: 'the list leaves its last receipt out',
    answer: (answer, { route, query }) =>
      route === 'receipts' && query['limit'] === undefined
        ? listing(answer, (receipts) => receipts.slice(0, -1))
        : undefined,
    findings: ['receipts-list.paginates-all failed'],
  },
  {
    name: 'the list skips every page but the first when pages are short',
    answer: (answer, { route, query }) =>
      route === 'receipts' && query['limit'] !== undefined ? listing(answer, () => []) : undefined,
    findings: ['receipts-list.paginates-all failed'],
  },
];

const caught = new Set<string>();

describe('receipts, with one thing broken', () => {
  it.concurrent.each(broken)('are found by the clause alone: $name', async (how) => {
    const run = await runBroken(receiptsChecks, how);
    for (const id of caughtBy(run)) caught.add(id);
    expect(findingsOf(run)).toEqual(how.findings);
  });
});

describe('the checks of receipts', () => {
  it('have none that nothing broken makes fail', () => {
    const others = receiptsChecks.filter(({ id }) => id !== 'receipts.list-answers-an-agent');
    expect(others.map(({ id }) => id).filter((id) => !caught.has(id))).toEqual([]);
  });
});

describe('receipts, by the contract', () => {
  it('pass every check', async () => {
    const run = await runAgainst(receiptsChecks);
    expect(notPassed(run)).toEqual([]);
    expect(findingsOf(run)).toEqual([]);
  });

  it.each([
    ['shows none', { presentReceipts: () => undefined }, {}],
    ['takes no reports', {}, { status: 404, headers: {}, body: { error: { code: 'x', message: 'x' } } }],
    ['takes reports and forgets them', {}, { status: 204, headers: {} }],
  ])('are not asked of a server that %s', async (_what, rules, answer) => {
    const forgets = 'status' in answer;
    const run = await runBroken(receiptsChecks, {
      rules: () => ({ ...rules, ...(forgets && { recordedMs: () => 0, isPreviewed: () => false }) }),
      answer: (_, { route }) =>
        forgets && route === 'reportReceipts'
          ? answer
          : forgets && route === 'receipts'
            ? { status: 200, headers: {}, body: { receipts: [] } }
            : undefined,
    });
    expect(findingsOf(run)).toEqual([]);
    expect(run.checks.filter(({ verdict, area }) => verdict === 'passed' && area !== 'wire')).toEqual([]);
  });

  it.each([
    ['without saying whether more follow', ({ receipts }: Listing) => ({ receipts })],
    ['in pages of another kind', ({ receipts, page }: Listing) => ({ data: receipts, paging: page })],
    ['in pages with a cursor', ({ receipts }: Listing) => ({ data: receipts, next_cursor: 'abc' })],
    ['as a bare list', ({ receipts }: Listing) => receipts],
  ])('are right of a server that lists them %s', async (_what, change) => {
    const run = await runBroken(receiptsChecks, {
      answer: (answer, { route }) =>
        route === 'receipts' && answer.status === 200
          ? { ...answer, body: change(answer.body as Listing) }
          : undefined,
    });
    expect(findingsOf(run)).toEqual([]);
  });

  it.each([
    ['lists two agents at most', { previewSize: () => 2 }],
    ['lists one agent at most', { previewSize: () => 1 }],
    ['keeps time in seconds', { recordedMs: (nowMs: number) => Math.floor(nowMs / 1000) * 1000 }],
  ])('are right of a server that %s', async (_what, rules) => {
    const run = await runBroken(receiptsChecks, { rules: () => rules });
    expect(findingsOf(run)).toEqual([]);
  });
});
