import { allClausesOf, type Check } from '../../harness/check/check.ts';
import { askedFor, type AskedFor } from '../../harness/gate/asked.ts';
import { selectChecks } from '../../harness/gate/select-checks.ts';
import { allChecks } from '../../suites/index.ts';
import { readResults } from '../shared/read-results.ts';
import { InvalidTarget } from '../../harness/errors.ts';
import { clientChecks, runWideChecks } from '../../harness/judging/run-wide-checks.ts';
import { columnOfCheck } from '../../harness/results/column.ts';
import { clauseColumns } from '../../reporters/clause-columns.ts';
import { checksToRepeat } from '../../reporters/story/again.ts';
import { countedIn, isOfClient, type RunSoFar } from '../../reporters/run-so-far.ts';

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

/**
 * The checks that show again what failed or warned in a run; what only watches others gives those in which it saw something.
 * @throws InvalidTarget where this version of the suite has none of them, or none is about what failed
 */
export function failedChecks(run: RunSoFar): readonly string[] {
  const broken = run.checks
    .filter((check) => ['failed', 'warned'].includes(columnOfCheck(check)))
    .map(({ check }) => check);
  const named = new Set([...broken, ...countedIn(run).flatMap(checksToRepeat)]);
  const known = allChecks.flatMap(({ id }) => (named.has(id) ? id : []));
  if (known.length > 0 || named.size === 0) return known;
  const about = checksAbout(brokenIn(run));
  if (about.length > 0) return about;
  throw new InvalidTarget(`${whyNone(run, named)}: ${[...named].join(', ')}`);
}

/** Clauses that a run has broken, whoever says so; what is known is not meant. */
function brokenIn(run: RunSoFar): ReadonlySet<string> {
  const columns = [...clauseColumns(run)];
  return new Set(
    columns.flatMap(([clause, column]) => (column === 'failed' || column === 'warned' ? clause : [])),
  );
}

/** The checks that decide some clauses, or bring about what judges of a history decide them by: they show what a history or a campaign showed. */
function checksAbout(broken: ReadonlySet<string>): readonly string[] {
  return allChecks
    .filter((check) => allClausesOf(check).some((clause) => broken.has(clause)))
    .map(({ id }) => id);
}

function whyNone(run: RunSoFar, named: ReadonlySet<string>): string {
  const isOf = (checks: readonly { readonly id: string }[]): boolean =>
    checks.some(({ id }) => named.has(id));
  if (isOfClient(run) || isOf(clientChecks))
    return 'clients are judged by `client`, and no run has the checks';
  return isOf(runWideChecks)
    ? 'no check is about what failed, which any request may show; run the whole suite again'
    : 'this version of the suite has none of the checks that failed';
}
