import { brokenClauses } from '../../harness/results/broken-clauses.ts';
import type { Column } from '../../harness/results/column.ts';
import type { CallLatency } from '../../harness/results/generated/events.ts';
import { originalOf } from '../../spec/index.ts';
import { columnsByClause } from '../../harness/verdict/tally.ts';
import { hasResult } from '../conclusion.ts';
import { isStrictRun, type RunSoFar } from '../run-so-far.ts';

/** Results of one server, or of one release of it, under the name that tells them apart. */
export interface NamedRun {
  readonly name: string;
  readonly run: RunSoFar;
}

/** Something that runs do not agree on; `undefined` where a run says nothing of it. */
export interface RunDifference<Value> {
  readonly subject: string;
  readonly values: readonly (Value | undefined)[];
}

/** A clause on which runs differ. */
export interface ClauseDifference extends RunDifference<Column> {
  /** What a run got that broke it, of the last one that did. */
  readonly got: string | undefined;
}

/** Runs side by side, the first one as what the others are held against. */
export interface Comparison {
  readonly runs: readonly NamedRun[];
  /** Clauses that the first run has as passed and some other one as failed. */
  readonly regressions: readonly ClauseDifference[];
  /** Clauses that the first run has as failed and none of the others. */
  readonly fixed: readonly ClauseDifference[];
  /** Clauses that differ in another way. */
  readonly otherwise: readonly ClauseDifference[];
  /** What servers do where the contract is silent, where they do not do the same. */
  readonly observations: readonly RunDifference<string>[];
  /** By call, the most frequent of the first run first. */
  readonly latencies: readonly RunDifference<CallLatency>[];
}

/** Compares runs clause by clause, observation by observation, call by call. */
export function compareRuns(runs: readonly NamedRun[]): Comparison {
  const clauses = differences(runs.map(({ run }) => columnsOfRun(run))).map((each): ClauseDifference => ({
    ...each,
    got: gotFor(each, runs),
  }));
  const failing = ({ values }: ClauseDifference): readonly boolean[] =>
    values.map((column, index) => isFailing(column, runs[index]));
  const isRegression = (each: ClauseDifference): boolean =>
    each.values[0] === 'passed' && failing(each).includes(true);
  const isFixed = (each: ClauseDifference): boolean => {
    const [first, ...others] = failing(each);
    return first === true && !others.includes(true);
  };
  return {
    runs,
    regressions: clauses.filter(isRegression),
    fixed: clauses.filter(isFixed),
    otherwise: clauses.filter((each) => !isRegression(each) && !isFixed(each)),
    observations: differences(runs.map(({ run }) => observationsOf(run))),
    latencies: sideBySide(runs.map(({ run }) => latenciesOf(run))),
  };
}

/** A warning fails a run that was strict. */
function isFailing(column: Column | undefined, of: NamedRun | undefined): boolean {
  return column === 'failed' || (column === 'warned' && of !== undefined && isStrictRun(of.run));
}

/** Runs that came to no whole result, and of which a regression cannot be excluded. */
export function undecidedRuns({ runs }: Comparison): readonly NamedRun[] {
  return runs.filter(({ run }) => !hasResult(run));
}

/** What each clause came to; one that says what another says has no say of its own. */
export function columnsOfRun({ checks }: RunSoFar): ReadonlyMap<string, Column> {
  return new Map([...columnsByClause(checks)].filter(([clause]) => originalOf(clause) === clause));
}

function observationsOf({ observations }: RunSoFar): ReadonlyMap<string, string> {
  const values = new Map<string, Set<string>>();
  for (const { check, name, value } of observations) {
    const subject = `${check}: ${name}`;
    values.set(subject, (values.get(subject) ?? new Set()).add(value));
  }
  return new Map([...values].map(([subject, own]) => [subject, [...own].toSorted().join(' or ')]));
}

function latenciesOf({ footer }: RunSoFar): ReadonlyMap<string, CallLatency> {
  return new Map((footer?.traffic?.latencies ?? []).map((each) => [each.call, each]));
}

function sideBySide<Value>(maps: readonly ReadonlyMap<string, Value>[]): readonly RunDifference<Value>[] {
  const subjects = new Set(maps.flatMap((map) => [...map.keys()]));
  return [...subjects].map((subject) => ({ subject, values: maps.map((map) => map.get(subject)) }));
}

function differences<Value>(maps: readonly ReadonlyMap<string, Value>[]): readonly RunDifference<Value>[] {
  return sideBySide(maps)
    .filter(({ values }) => new Set(values).size > 1)
    .toSorted((one, other) => (one.subject < other.subject ? -1 : 1));
}

function gotFor({ subject }: RunDifference<Column>, runs: readonly NamedRun[]): string | undefined {
  const findings = runs.flatMap(({ run }) => run.findings);
  return findings.findLast((finding) => brokenClauses(finding).some(({ clause }) => clause === subject))
    ?.actual;
}
