import { expect, it } from 'vitest';
import { mutants } from '../../reference/mutants/index.ts';
import { observeHere } from '../../selftest/observe.ts';
import { summaryOf } from '../../selftest/report.ts';
import { runSelftest } from '../../selftest/run-selftest.ts';
import { sampleOf } from '../../selftest/sample.ts';
import { allChecks } from '../../suites/index.ts';

it('a sample of the mutants is caught to the last', { timeout: 120_000 }, async () => {
  const report = await runSelftest({
    mutants: sampleOf(mutants),
    checks: allChecks,
    observe: observeHere,
    lanes: 6,
    isSample: true,
  });
  expect(summaryOf(report)).toMatch(/green$/);
});
