import { after, before, describe, test } from 'node:test';
import type { Check } from '../harness/check/check.ts';
import { type AdapterOptions, type OpenTarget, TestsOfRun } from './tests-of-run.ts';

export type { AdapterOptions, OpenedTarget, OpenTarget } from './tests-of-run.ts';

/**
 * Shows checks to users of `node --test` as tests: one test a check, in the file that calls this. The engine runs them as it
 * always does, side by side; each test only waits for its own check, and for the end of the run where that failed: then the
 * finding is told. Inconclusive checks are skipped with their reason.
 */
export function describeChecks(
  checks: readonly Check[],
  openTarget: OpenTarget,
  options: AdapterOptions = {},
): void {
  const run = new TestsOfRun(checks, openTarget, options);
  before(() => run.start());
  after(() => run.end());

  for (const [area, tests] of run.areas) {
    // What waits side by side is told of as it ends.
    void describe(area, { concurrency: tests.length }, () => {
      for (const { name, outcome } of tests) {
        void test(name, async (context) => {
          const came = await outcome();
          if (came.is === 'failed') throw new Error(came.message);
          if (came.is === 'skipped') context.skip(came.reason);
        });
      }
    });
  }
}
