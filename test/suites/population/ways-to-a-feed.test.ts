import { describe, expect, it } from 'vitest';
import { contractRules, type Rules } from '../../../reference/index.ts';
import { allChecks } from '../../../suites/index.ts';
import { runAgainst } from '../run-suite.ts';

const unreached: Readonly<Record<string, Partial<Rules>>> = {
  'population.feeds-list-all-that-names-the-agent': { agentTargetOf: () => null },
  'population.feeds-list-all-that-names-the-human': { userTargetOf: () => null },
  'population.feeds-list-all-that-names-the-machine': { machineTargetOf: () => null },
};
const all = Object.keys(unreached);

/** Those of some checks that pass at a server with other rules. */
async function passedAt(rules: Partial<Rules>, ids = all): Promise<readonly string[]> {
  const checks = allChecks.filter(({ id }) => ids.includes(id));
  const run = await runAgainst(checks, { rules: { ...contractRules, ...rules } });
  return run.checks.flatMap(({ check, verdict }) =>
    ids.includes(check) && verdict === 'passed' ? [check] : [],
  );
}

describe('that a kind of target leads to a feed', () => {
  it('is shown by a server where each does', async () => {
    expect((await passedAt({})).toSorted()).toEqual(all);
  });

  it.each(Object.entries(unreached))(
    'is not shown by what comes there by another kind: %s',
    async (id, rules) => {
      expect(await passedAt(rules, [id])).toEqual([]);
    },
  );
});
