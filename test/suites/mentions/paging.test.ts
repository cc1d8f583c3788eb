import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { AnswerHook } from '../../../reference/model/answer.ts';
import { listOf, objectOf, spoilBody } from '../../../selftest/mutants/base/spoil-answer.ts';
import { allChecks } from '../../../suites/index.ts';
import { runAgainst } from '../run-suite.ts';

async function verdictOf(id: string, answer: AnswerHook): Promise<string | undefined> {
  const settleMs = 600;
  const checks = allChecks.filter((check) => check.id === id);
  const run = await runAgainst(checks, { answer }, { target: (target) => ({ ...target, settleMs }) });
  const { clauses = [] } = run.checks.find(({ check }) => check === id) ?? {};
  return clauses.find(({ clause }) => clause === 'mentions.newest-page')?.verdict;
}

it.each(['mentions.newest-page-takes-every-target', 'mentions.newest-page-reaches-far-back'])(
  'a full page of older mentions that promises more is no newest page: %s',
  async (id) => {
    const older = spoilBody('mentions', (body, { query }) => {
      const [first] = listOf(body['mentions']);
      if (query['after'] !== undefined || first === undefined) return body;
      const { message } = objectOf(first) as { readonly message: object };
      const mentions = [1, 2, 3].map((sequence) => {
        const other = randomUUID();
        return { id: other, sequence, message: { ...message, id: other, content: 'older' } };
      });
      return { mentions, page: { ...objectOf(body['page']), has_more: true } };
    });
    expect(await verdictOf(id, older.answer)).toBe('failed');
  },
);

it('the newest page is asked for once who lists has come to know what was sent', async () => {
  let sentMs = 0;
  const lagging: AnswerHook = ({ body, ...answer }, { route, query }) => {
    if (route === 'send') sentMs = Date.now();
    const isBehind = Date.now() - sentMs < 500;
    return route === 'mentions' && query['after'] === undefined && isBehind
      ? { ...answer, body: { ...objectOf(body), mentions: [] } }
      : undefined;
  };
  expect(await verdictOf('mentions.newest-page-reaches-far-back', lagging)).toBe('passed');
});
