import { contractRules } from '../../../reference/index.ts';
import type { Rules } from '../../../reference/index.ts';
import type { Check } from '../../../harness/check/check.ts';
import { runAgainst } from '../run-suite.ts';
import type { ReferenceOptions, SuiteRun } from '../run-suite.ts';

/** One thing broken in the reference, and what must come of it. */
export interface Broken {
  readonly name: string;
  readonly rules?: () => Partial<Rules>;
  readonly answer?: NonNullable<ReferenceOptions['answer']>;
  /** Every finding of a run of the area, as `clause verdict`. */
  readonly findings: readonly string[];
  /** Checks that are run; all small ones of the area when absent. */
  readonly only?: readonly string[];
}

/** Short, so that dozens of servers are tried in seconds; the reference shows at once what it accepts. */
const settleMs = 60;

/** Runs checks against a reference that is broken in one way. */
export function runBroken(
  checks: readonly Check[],
  { rules, answer, only }: Omit<Broken, 'name' | 'findings'>,
): Promise<SuiteRun> {
  const chosen = checks.filter(({ id, bodyBytes }) =>
    only === undefined ? bodyBytes === 0 : only.includes(id),
  );
  return runAgainst(
    chosen,
    { rules: { ...contractRules, ...rules?.() }, ...(answer === undefined ? {} : { answer }) },
    { target: (target) => ({ ...target, settleMs }) },
  );
}

/** Ids of the checks that saw something broken. */
export function caughtBy({ checks }: SuiteRun): string[] {
  return checks
    .filter(({ verdict }) => verdict === 'failed' || verdict === 'warned')
    .map(({ check }) => check);
}
