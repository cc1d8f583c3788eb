import { expect, it } from 'vitest';
import { mutants } from '../../../selftest/mutants/index.ts';
import { observeHere } from '../../../selftest/run/observe.ts';
import { summaryOf } from '../../../selftest/run/report.ts';
import { runSelftest } from '../../../selftest/run/run-selftest.ts';
import { sampleOf } from '../../../selftest/run/sample.ts';
import { mixtureServer } from '../../../selftest/servers/variant-server.ts';
import { allChecks } from '../../../suites/index.ts';

/** Mixtures beside the mutants: between them a quarter of the variants. */
const mixtures = 8;

it('a sample of the mutants is caught to the last, and no sample of the mixtures raises an alarm', async () => {
  const report = await runSelftest({
    mutants: sampleOf(mutants),
    variants: Array.from({ length: mixtures }, (_, index) => ({
      server: mixtureServer(index + 1),
      parts: 12,
    })),
    checks: allChecks,
    observe: observeHere,
    lanes: 6,
    isSample: true,
  });
  expect(summaryOf(report)).toMatch(/green$/);
}, 480_000);
