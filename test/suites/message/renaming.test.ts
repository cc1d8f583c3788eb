import { expect, it } from 'vitest';
import { objectOf, spoilItems } from '../../../selftest/mutants/base/spoil-answer.ts';
import { allChecks } from '../../../suites/index.ts';
import { runAgainst } from '../run-suite.ts';

it('compares authors that show an integer which only a bigint holds', async () => {
  const id = 'message.stays-as-written-when-names-change';
  const shown = spoilItems('read', (message) => ({
    ...message,
    author: { ...objectOf(message['author']), revision: 9_007_199_254_740_993n },
  }));
  const run = await runAgainst(
    allChecks.filter((check) => check.id === id),
    shown,
  );
  const clauses = run.checks.find(({ check }) => check === id)?.clauses ?? [];
  expect(clauses.map(({ verdict }) => verdict)).toEqual(['passed', 'passed']);
});
