import { afterAll, beforeAll, describe, test } from 'vitest';
import type { Check } from '../harness/check/check.ts';
import { type AdapterOptions, type OpenTarget, TestsOfRun } from './tests-of-run.ts';

export type { AdapterOptions, OpenedTarget, OpenTarget } from './tests-of-run.ts';

/**
 * Shows checks to vitest users as tests: one test a check, in the file that calls this. The engine runs them as it always
 * does, side by side; each test only waits for its own check, and for the end of the run where that failed: then the
 * finding is told. Inconclusive checks are skipped with their reason.
 */
export function describeChecks(
  checks: readonly Check[],
  openTarget: OpenTarget,
  options: AdapterOptions = {},
): void {
  const run = new TestsOfRun(checks, openTarget, options);
  // The run has a budget of its own.
  beforeAll(() => run.start(), 0);
  afterAll(() => run.end(), 0);

  for (const [area, tests] of run.areas) {
    describe(area, () => {
      for (const { name, outcome } of tests) {
        test.concurrent(name, { timeout: 0, retry: 0 }, async ({ skip }) => {
          const came = await outcome();
          if (came.is === 'failed') throw new Error(came.message);
          if (came.is === 'skipped') skip(came.reason);
        });
      }
    });
  }
}
