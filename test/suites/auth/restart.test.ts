import { expect, it } from 'vitest';
import { contractRules } from '../../../reference/index.ts';
import { allChecks } from '../../../suites/index.ts';
import { withAround } from '../../fixtures/hooks.ts';
import { runAgainst } from '../run-suite.ts';

const check = 'auth.what-was-closed-stays-closed-after-a-restart';
const clause = 'mentions.membership-rechecked';

/** The verdict on lost access where the agents of a machine that is not active are shut out, as is left open. */
async function verdictOnAccess({ isForgotten }: { isForgotten: boolean }): Promise<string | undefined> {
  const [inactive, lost] = [new Set<unknown>(), new Set<unknown>()];
  const run = await runAgainst(
    allChecks.filter(({ id }) => id === check),
    {
      rules: {
        ...contractRules,
        hasWorkspaceAccess: ({ agent: { id, machineId } }) => !lost.has(id) && !inactive.has(machineId),
      },
    },
    {
      target: (target) => {
        const deactivating = withAround(['deactivate'], (input, deactivate) => {
          if (input['kind'] === 'machine') inactive.add(input['machine_id']);
          if (input['kind'] !== 'access') return deactivate();
          lost.add(input['agent_id']);
          return Promise.resolve({});
        });
        return withAround(['restart'], (_, restart) => {
          if (isForgotten) lost.clear();
          return restart();
        })(deactivating(target));
      },
    },
  );
  const { clauses = [] } = run.checks.find((each) => each.check === check) ?? {};
  return clauses.find((each) => each.clause === clause)?.verdict;
}

it('finds lost access forgotten where an inactive machine takes its agents along', async () => {
  expect(await verdictOnAccess({ isForgotten: true })).toBe('failed');
  expect(await verdictOnAccess({ isForgotten: false })).toBe('passed');
});
