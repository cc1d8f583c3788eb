import { expect, it } from 'vitest';
import type { AnsweredRequest } from '../../../reference/model/answer.ts';
import { refusal } from '../../../selftest/mutants/base/spoil-answer.ts';
import { allChecks } from '../../../suites/index.ts';
import { findingsOf, runAgainst } from '../run-suite.ts';

/** The verdict on one clause of a check, where a limit is reached by each listing that is meant. */
async function verdictWhereLimited(
  id: string,
  clause: string,
  isMeant: (request: AnsweredRequest) => boolean,
) {
  const run = await runAgainst(
    allChecks.filter((check) => check.id === id),
    {
      answer: (_answer, request) =>
        request.route === 'mentions' && isMeant(request)
          ? { ...refusal(429), headers: { 'retry-after': '0' } }
          : undefined,
    },
    { limitPatienceMs: 200 },
  );
  const { clauses = [] } = run.checks.find(({ check }) => check === id) ?? {};
  return clauses.find((each) => each.clause === clause)?.verdict;
}

it('a limit says nothing of a parameter that would override the recipient', async () => {
  const id = 'mentions.parameter-agent-id-does-not-change-the-recipient';
  const verdict = await verdictWhereLimited(
    id,
    'mentions.override-is-400',
    ({ query, actor }) => query['agent_id'] !== undefined && query['agent_id'] === actor?.agentId,
  );
  expect(verdict).toBe('passed');
});

it('a limit says nothing of how many mentions a page has at most', async () => {
  const verdict = await verdictWhereLimited(
    'mentions.default-limit-is-50',
    'mentions.limit.max',
    ({ query }) => query['limit'] === '1000',
  );
  expect(verdict).toBe('inconclusive');
});

it('each request over a limit is to be told so, not one of them', async () => {
  let refused = 0;
  const run = await runAgainst(
    allChecks.filter(({ id }) => id === 'errors.mentions-over-a-limit-are-429'),
    {
      answer: ({ status }, { route }) =>
        route === 'mentions' && status === 429 && (refused += 1) % 2 === 0 ? refusal(403) : undefined,
    },
  );
  expect(findingsOf(run)).toContain('errors.limits-reached-are-429 failed');
});
