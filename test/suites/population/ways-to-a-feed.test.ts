import { describe, expect, it } from 'vitest';
import { contractRules, type Rules } from '../../../reference/index.ts';
import { allChecks } from '../../../suites/index.ts';
import { runAgainst } from '../run-suite.ts';

const unreached: Readonly<Record<string, Partial<Rules>>> = {
  'names-the-agent': { agentTargetOf: () => null },
  'names-the-human': { userTargetOf: () => null },
  'names-the-machine': { machineTargetOf: () => null },
};

describe('that a kind of target leads to a feed', () => {
  it.each(Object.entries(unreached))(
    'is not shown by what comes there by another kind: %s',
    async (slug, rules) => {
      const id = `population.feeds-list-all-that-${slug}`;
      const verdictOf = async (changed: Partial<Rules>): Promise<string | undefined> => {
        const { checks } = await runAgainst(
          allChecks.filter((check) => check.id === id),
          { rules: { ...contractRules, ...changed } },
        );
        return checks.find(({ check }) => check === id)?.verdict;
      };
      expect(await verdictOf({})).toBe('passed');
      expect(await verdictOf(rules)).not.toBe('passed');
    },
    60_000,
  );
});
