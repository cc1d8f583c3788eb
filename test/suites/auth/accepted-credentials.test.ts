import { expect, it } from 'vitest';
import { contractRules } from '../../../reference/index.ts';
import { allChecks } from '../../../suites/index.ts';
import { findingsOf, runAgainst } from '../run-suite.ts';

it('finds a server that takes no good token after some that were never issued', async () => {
  let strangers = 0;
  const run = await runAgainst(
    allChecks.filter(({ id }) => id === 'auth.good-credential-works-after-wrong-ones'),
    {
      rules: {
        ...contractRules,
        admits: (problem) => {
          if (problem === 'unknown') strangers += 1;
          return false;
        },
        isRevoked: () => strangers > 2,
      },
    },
  );
  expect(findingsOf(run)).toContain('auth.bearer-accepted failed');
});
