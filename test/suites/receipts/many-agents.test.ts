import { expect, it } from 'vitest';
import type { Rules } from '../../../reference/index.ts';
import { allChecks } from '../../../suites/index.ts';
import { runAgainst } from '../run-suite.ts';

const id = 'receipts.page-of-a-hundred-retrievals-lists-all';

/** The verdict on each of its clauses. */
async function verdictsOf(rules: Partial<Rules>): Promise<readonly string[]> {
  const run = await runAgainst(
    allChecks.filter((check) => check.id === id),
    { rules },
  );
  const { clauses = [] } = run.checks.find(({ check }) => check === id) ?? {};
  return clauses.map(({ verdict }) => verdict);
}

it('nothing is crowded where no page shows all messages that over a hundred retrievals are of', async () => {
  expect(new Set(await verdictsOf({}))).toEqual(new Set(['passed']));
  expect(new Set(await verdictsOf({ fitsOnPage: ({ count }) => count < 2 }))).toEqual(
    new Set(['inconclusive']),
  );
});
