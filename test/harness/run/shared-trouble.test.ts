import { describe, expect, it } from 'vitest';
import { isAccepted } from '../../../harness/client/exchange.ts';
import { check, type Check } from '../../../harness/check/check.ts';
import { unmet } from '../../../harness/verdict/outcome.ts';
import { startAilingServer } from '../../suites/ailing-server.ts';
import { notPassed, runOn } from '../../suites/run-suite.ts';

const clause = 'mentions.status-is-200';

/** Looks at what several make together, and says no more than that it is not there when it could not be made. */
function lookingAtIt(name: string): Check {
  return check(
    `mentions.${name}`,
    { title: 'a thing of several checks is there', clauses: [clause], needs: ['author'] },
    async ({ author, shared, expect: judge }) => {
      const made = await shared('thing', async () => {
        const seen = await author.mentions({ limit: 7 });
        return isAccepted(seen) ? seen : unmet('there is no thing');
      });
      judge.holds(clause, true, { expected: 'it is there', actual: 'it is not' }, made);
    },
  );
}

describe('checks that share what trouble kept one of them from making', () => {
  it('are all heard again, also those that only waited for it', async () => {
    let met = 0;
    const server = await startAilingServer((_, { url = '' }) => {
      if (!url.includes('limit=7')) return 'pass';
      met += 1;
      return met <= 3 ? 'reset' : 'pass';
    });
    const run = await runOn(['one', 'two', 'three'].map(lookingAtIt), server.target);
    await server.close();
    expect(met).toBeGreaterThan(3);
    expect(notPassed(run)).toEqual([]);
  });
});
