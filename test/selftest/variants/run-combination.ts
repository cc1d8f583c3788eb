import { targetOfReference } from '../../../embedded/embedded-reference.ts';
import type { FindingEvent } from '../../../harness/results/events.ts';
import { startCombination, type Combination } from '../../../selftest/variants/index.ts';
import { allChecks } from '../../../suites/index.ts';
import { runOn, type SuiteRun } from '../../suites/run-suite.ts';

/** Runs every check against a combination of variants, every role and hook of it in the target. */
export async function runCombination(combination: Combination): Promise<SuiteRun> {
  const reference = await startCombination(combination);
  try {
    return await runOn(allChecks, targetOfReference(reference));
  } finally {
    await reference.close();
  }
}

/** What a run holds against a server that conforms: nothing, but for warnings that its variants allow. */
export function falseAlarms({ findings, footer }: SuiteRun, { variants }: Combination): string[] {
  const allowed = new Set<string>(variants.flatMap(({ mayWarn = [] }) => mayWarn));
  const alarms = findings
    .filter(({ clause, verdict }) => verdict === 'failed' || !allowed.has(clause))
    .map(describeFinding);
  return footer.end === 'complete' ? alarms : [...alarms, `the run ${footer.end}: ${footer.reason ?? ''}`];
}

function describeFinding({ clause, verdict, check, metIn, expected, actual, seen }: FindingEvent): string {
  const where = metIn === undefined ? check : `${check} in ${metIn}`;
  return `${clause} ${verdict} ${seen.times}/${seen.of} by ${where}: expected ${expected}; got ${actual}`;
}
