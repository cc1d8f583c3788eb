import type { Check } from '../../harness/check/check.ts';
import { type AskedFor, askedFor } from '../../harness/gate/asked.ts';
import { selectChecks } from '../../harness/gate/select-checks.ts';
import { allChecks } from '../../suites/index.ts';
import { readResults } from '../shared/read-results.ts';
import { failedChecks } from './failed-checks.ts';

/** Options that narrow a run. */
export interface SelectionOptions {
  readonly check: readonly string[];
  readonly clause: readonly string[];
  readonly only: readonly string[];
  readonly besideOthers?: boolean;
  readonly failed?: string;
}

/** What a run was narrowed to, and how its header says so. */
export interface Selected {
  readonly checks: readonly Check[];
  /** Empty for everything. */
  readonly selection: readonly string[];
  /** What is told of; `undefined` for everything. */
  readonly asked?: AskedFor | undefined;
}

/**
 * The checks that the options select; `undefined` where the results that `--failed` names have no failure.
 * @throws InvalidTarget on names that are unknown, or a stream that cannot be read
 */
export function selectedChecks(options: SelectionOptions): Selected | undefined {
  const { check, clause, only, besideOthers, failed } = options;
  const again = failed === undefined ? undefined : readResults([failed]).flatMap(failedChecks);
  if (again?.length === 0) return undefined;
  const given = {
    checks: [...check, ...(again ?? [])],
    clauses: clause,
    areas: only,
    isBesideOthers: besideOthers === true,
  };
  const checks = selectChecks(allChecks, given);
  const words = [
    ...(besideOthers === true ? ['beside others'] : []),
    ...(failed === undefined ? [] : ['failed']),
  ];
  const asked = askedFor({ all: allChecks, taken: checks }, given);
  return { checks, asked, selection: [...check, ...clause, ...only, ...words] };
}
