import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { contractRules, type Rules } from '../../../reference/index.ts';
import { allChecks } from '../../../suites/index.ts';
import { refusal } from '../../../selftest/mutants/base/spoil-answer.ts';
import { findingsOf, runAgainst } from '../run-suite.ts';

const clause = 'channel-read.wait-wakes';

const checks = allChecks.filter(({ id }) => id === 'channel-read.waiting-read-wakes');

/** What the check of a woken read makes of a server whose waits are other ones. */
async function verdictOn(rules: Partial<Rules>): Promise<string | undefined> {
  const run = await runAgainst(checks, { rules: { ...contractRules, ...rules } });
  return run.checks.flatMap(({ clauses }) => clauses).find((each) => each.clause === clause)?.verdict;
}

describe('a read that waits', () => {
  it.concurrent('is woken where a message ends it', async () => {
    expect(await verdictOn({})).toBe('passed');
  });

  it.concurrent('is not woken where no wait is kept', async () => {
    expect(await verdictOn({ waitMs: () => 0 })).toBe('inconclusive');
  });

  it.concurrent('is not woken where every wait is as long as another', async () => {
    expect(await verdictOn({ waitMs: () => 1_500, wakesPolls: () => false })).toBe('inconclusive');
  });

  it.concurrent('is not woken where it ends without the message', async () => {
    expect(await verdictOn({ channelsWoken: (_id, all) => all(), limitAfterWake: () => 0 })).not.toBe(
      'passed',
    );
  });

  it.concurrent.each([
    ['that finds nothing', /"messages":\[\]/],
    ['of anybody but the first', undefined],
  ])('is accepted, also one %s', async (_, refused) => {
    let waits = 0;
    const run = await runAgainst(checks, {
      rules: { ...contractRules, ...(refused && { waitMs: () => 0 }) },
      answer: (answer, { route, query: { wait } }) => {
        if (route !== 'read' || wait !== '25') return undefined;
        waits += 1;
        return (refused?.test(JSON.stringify(answer)) ?? waits > 1) ? refusal(400) : undefined;
      },
    });
    expect(findingsOf(run)).toContain('channel-read.wait-25-accepted failed');
  });

  it.concurrent('may be told of a conflict with its cursor, however late', async () => {
    const run = await runAgainst(checks, {
      answer: async (_answer, { route, query: { wait } }) => {
        if (route !== 'read' || wait !== '25') return undefined;
        await sleep(100);
        return refusal(409);
      },
    });
    expect(findingsOf(run).filter((found) => found.endsWith('failed'))).toEqual([]);
  });
});
