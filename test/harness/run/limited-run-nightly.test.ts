import { describe, expect, it } from 'vitest';
import { allChecks } from '../../../suites/index.ts';
import { findingsOf, notPassed, runAgainst } from '../../suites/run-suite.ts';

const checks = allChecks.filter(({ id }) =>
  /^(?:send\.one|channel-read\.w|mentions\.limit-(?:of|below))/.test(id),
);

describe('a run under a limit', { timeout: 120_000 }, () => {
  it('decides every clause, with time limits that its waiting would use up', async () => {
    // Far below what a check waits for at this rate, so that a change of the checks keeps the proof.
    const checkTimeoutMs = 3_000;
    const limited = await runAgainst(checks, { settings: { requestsPerSecond: 5 } }, { checkTimeoutMs });
    expect(notPassed(limited)).toEqual([]);
    expect(findingsOf(limited)).toEqual([]);
    // Else nothing was shown: a check has to take longer than its limit.
    const longest = Math.max(...limited.checks.map(({ durationMs }) => durationMs));
    expect(longest).toBeGreaterThan(checkTimeoutMs);
    const { limits = [], limited: refused = 0 } = limited.footer.traffic ?? {};
    expect(limits.map(({ who }) => who)).toContain('author');
    expect(refused).toBeGreaterThan(5);
  });
});
