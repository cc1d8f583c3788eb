import { describe, expect, it } from 'vitest';
import { check, type Check } from '../../../harness/check/check.ts';
import { allChecks } from '../../../suites/index.ts';
import { startAilingServer } from '../../suites/ailing-server.ts';
import { findingsOf, runOn, type SuiteRun } from '../../suites/run-suite.ts';

const clause = 'page.has-more-while-items-remain';

/** Holds the answer to one read against what must be there; says how often it was run. */
function reading(isEvidence: boolean): { readonly lone: Check; readonly runs: () => number } {
  let runs = 0;
  const lone = check(
    'page.lone',
    { title: 'a read shows something', clauses: [clause], needs: ['author', 'channel'] },
    async ({ author, channel, expect: judge }) => {
      runs += 1;
      const read = await author.readChannel(channel.id, { after: 0, limit: 7 });
      const problem = { expected: 'messages', actual: 'none' };
      judge.holds(clause, read.response?.json !== undefined, problem, ...(isEvidence ? [read] : []));
    },
  );
  return { lone, runs: () => runs };
}

/** Runs the check where that read is reset in the first so many attempts. */
async function run(attempts: number, isEvidence: boolean, others: readonly Check[] = []): Promise<SuiteRun> {
  const { lone, runs } = reading(isEvidence);
  const server = await startAilingServer((_, { url = '' }) =>
    url.includes('limit=7') && runs() <= attempts ? 'reset' : 'pass',
  );
  try {
    return await runOn([...others, lone], server.target);
  } finally {
    await server.close();
  }
}

describe('an answer that is lost on the way', () => {
  it.each([true, false])('fails nothing that passes when it comes (as evidence: %s)', async (isEvidence) => {
    const { checks, ...rest } = await run(1, isEvidence);
    expect(findingsOf({ checks, ...rest })).toEqual([]);
    expect(checks.find(({ check: id }) => id === 'page.lone')).toMatchObject({
      verdict: 'passed',
      attempts: 2,
    });
  });

  it('fails nothing that does not rest on it, though it never comes', async () => {
    const { checks, ...rest } = await run(99, false);
    expect(findingsOf({ checks, ...rest })).toEqual([]);
    expect(checks.find(({ check: id }) => id === 'page.lone')?.verdict).toBe('inconclusive');
  });

  it('is what fails where it never comes, beside others that do', async () => {
    const answered = allChecks.filter(({ id }) => /^(?:channels-list|overview|mentions\.limit)/.test(id));
    expect(findingsOf(await run(99, true, answered))).toEqual([`${clause} failed`]);
  });
});
