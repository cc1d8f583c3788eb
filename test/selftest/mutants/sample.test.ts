import { expect, it } from 'vitest';
import { mutants } from '../../../selftest/mutants/index.ts';
import { observeHere } from '../../../selftest/run/observe.ts';
import { summaryOf } from '../../../selftest/run/report.ts';
import { runSelftest } from '../../../selftest/run/run-selftest.ts';
import { sampleOf } from '../../../selftest/run/sample.ts';
import { combinationServer } from '../../../selftest/servers/variant-server.ts';
import { allChecks } from '../../../suites/index.ts';

/** Combinations beside the mutants: between them a quarter of the variants. */
const combinations = 8;

it('a sample of the mutants is killed to the last, and no sample of the combinations raises an alarm', async () => {
  const report = await runSelftest({
    mutants: sampleOf(mutants),
    variants: Array.from({ length: combinations }, (_, index) => ({
      server: combinationServer(index + 1),
      parts: 12,
    })),
    checks: allChecks,
    observe: observeHere,
    concurrency: 6,
    isSample: true,
  });
  expect(summaryOf(report)).toMatch(/green$/);
}, 480_000);
