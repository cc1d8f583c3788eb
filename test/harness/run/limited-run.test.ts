import { expect, it } from 'vitest';
import { findingsOf, runAgainst } from '../../suites/run-suite.ts';

const checks = /^(?:send\.one|mentions\.limit-below)/;

it('a run under a limit leaves open, and says why, what a limit without end does not let it see', async () => {
  const run = await runAgainst(checks, {
    rules: { secondsToWait: (route) => (route === 'send' ? 3_600 : null) },
  });
  expect(run.footer.exitCode).toBe(3);
  expect(run.footer.traffic?.limits).toContainEqual(
    expect.objectContaining({ who: 'author', isEndless: true }),
  );
  expect(findingsOf(run)).toEqual([]);
});
