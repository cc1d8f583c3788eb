import type { Baseline } from '../../harness/gate/baseline.ts';
import { readBaseline } from '../../harness/gate/read-baseline.ts';
import { requiredClauses } from '../../harness/gate/required-clauses.ts';
import type { RequirementSet, ScoringOptions } from '../../harness/gate/scoring.ts';
import { clientChecks, runWideChecks } from '../../harness/judging/run-wide-checks.ts';
import { allChecks } from '../../suites/index.ts';
import { checkIds } from '../../suites/release/check-ids.ts';
import { newestRequirementSet, readRequirementSet } from '../../suites/release/requirement-sets.ts';

/** Options that say which verdicts decide the exit code. */
export interface ScoringFlags {
  readonly baseline?: string;
  readonly requirements?: string;
  readonly require: readonly string[];
}

/**
 * Reads the files that the options name.
 * @throws InvalidTarget naming what is wrong, where, and what to do
 */
export function scoringOf({ baseline, requirements, require }: ScoringFlags, cwd: string): ScoringOptions {
  return {
    required: requiredClauses(require, cwd),
    ...(baseline === undefined ? {} : { baseline: baselineIn(baseline, cwd) }),
    ...(requirements === 'none' ? {} : { requirements: requirementsOf(requirements) }),
  };
}

/**
 * Reads the known failures as of today.
 * @throws InvalidTarget that lists everything wrong with the file
 */
export function baselineIn(file: string, cwd: string): Baseline {
  const deciders = [...allChecks, ...runWideChecks, ...clientChecks];
  return readBaseline({ file, cwd, deciders, today: new Date().toISOString().slice(0, 10) });
}

/** As long as a set is not frozen it has every check. */
function requirementsOf(name: string | undefined): RequirementSet {
  const set = name === undefined ? newestRequirementSet() : readRequirementSet(name);
  return set.isFrozen ? set : { name: set.name, checks: new Set(checkIds()) };
}
