import { brokenClauses } from '../../harness/results/broken-clauses.ts';
import type { Column } from '../../harness/results/column.ts';
import type { CallLatency } from '../../harness/results/generated/events.ts';
import { originalOf } from '../../spec/index.ts';
import { clauseColumns, isBroken } from '../clause-columns.ts';
import { hasResult } from '../conclusion.ts';
import { isCampaign, isNarrowed, isStrictRun, type RunSoFar } from '../run-so-far.ts';

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
  /** The clause that says the same, whose verdict it shares. */
  readonly restates: string | undefined;
  /** What a run got that broke it, of the last one that did. */
  readonly got: string | undefined;
}

/** Runs side by side, the first one as what the others are held against. */
export interface Comparison {
  readonly runs: readonly NamedRun[];
  /** Clauses that the first run kept and some other one has as failed. */
  readonly regressions: readonly ClauseDifference[];
  /** Clauses that the first run has as failed and all others kept. */
  readonly fixed: readonly ClauseDifference[];
  /** Clauses that differ in another way. */
  readonly otherwise: readonly ClauseDifference[];
  /** What servers do where the contract is silent, where they do not do the same. */
  readonly observations: readonly RunDifference<string>[];
  /** By call, the most frequent of the first run first. */
  readonly latencies: readonly RunDifference<CallLatency>[];
}

/** Compares runs clause by clause, observation by observation, call by call. Clauses count as a run counts them: those that restate another too. */
export function compareRuns(runs: readonly NamedRun[]): Comparison {
  const clauses = sideBySide(runs.map(({ run }) => clauseColumns(run)))
    .filter((each) => doDiffer(each, runs))
    .toSorted(bySubject)
    .map((each) => withReasons(each, runs));
  const failing = ({ values }: ClauseDifference): readonly boolean[] =>
    values.map((column, index) => isFailing(column, runs[index]));
  const isRegression = (each: ClauseDifference): boolean =>
    failing(each).some((fails, index) => fails && isKept(each.values[0], runs[0]?.run, runs[index]?.run));
  const isFixed = (each: ClauseDifference): boolean =>
    failing(each)[0] === true &&
    each.values.every((column, index) => index === 0 || isKept(column, runs[index]?.run, runs[0]?.run));
  return {
    runs,
    regressions: clauses.filter(isRegression),
    fixed: clauses.filter(isFixed),
    otherwise: clauses.filter((each) => !isRegression(each) && !isFixed(each)),
    observations: sideBySide(runs.map(({ run }) => observationsOf(run)))
      .filter((each) => new Set(toldIn(each, runs)).size > 1)
      .toSorted(bySubject),
    latencies: sideBySide(runs.map(({ run }) => latenciesOf(run))),
  };
}

/** Whether a run kept a clause: it passed, or beside another campaign a whole one did not find it broken. */
export function isKept(
  column: Column | undefined,
  of: RunSoFar | undefined,
  beside: RunSoFar | undefined,
): boolean {
  if (column !== undefined) return column === 'passed';
  if (of === undefined || beside === undefined) return false;
  return isCampaign(of) && isCampaign(beside) && hasResult(of);
}

/** What runs say of something: a campaign tells of nothing but what it found broken, and its silence is no difference. */
function toldIn<Value>(
  { values }: RunDifference<Value>,
  runs: readonly NamedRun[],
): readonly (Value | undefined)[] {
  return values.filter((value, index) => {
    const of = runs[index];
    return value !== undefined || of === undefined || !isCampaign(of.run);
  });
}

/** Whether runs disagree on a clause: that a campaign found nothing does so with one that has it broken alone. */
function doDiffer(each: RunDifference<Column>, runs: readonly NamedRun[]): boolean {
  const told = toldIn(each, runs);
  return new Set(told).size > 1 || (told.length < each.values.length && told.some(isBroken));
}

/** A warning fails a run that was strict. */
export function isFailing(column: Column | undefined, of: NamedRun | undefined): boolean {
  return column === 'failed' || (column === 'warned' && of !== undefined && isStrictRun(of.run));
}

/** Runs that came to no whole result, and of which a regression cannot be excluded. */
export function undecidedRuns({ runs }: Comparison): readonly NamedRun[] {
  return runs.filter(({ run }) => !hasResult(run));
}

/**
 * Clauses that the first run kept and another has no verdict of. What a campaign does not speak of, and what a narrowed run was not asked
 * for, is no gap in it.
 */
export function openClauses({ runs: [first, ...others] }: Comparison): readonly string[] {
  if (first === undefined) return [];
  const kept = [...clauseColumns(first.run)].flatMap(([clause, column]) =>
    column === 'passed' ? clause : [],
  );
  const columns = others.map(({ run }) => ({
    of: clauseColumns(run),
    isPart: isCampaign(run) || isNarrowed(run),
  }));
  return kept.filter((clause) =>
    columns.some(
      ({ of, isPart }) => (of.get(clause) ?? (isPart ? 'passed' : 'inconclusive')) === 'inconclusive',
    ),
  );
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

function bySubject(one: RunDifference<unknown>, other: RunDifference<unknown>): number {
  return one.subject < other.subject ? -1 : 1;
}

function withReasons(difference: RunDifference<Column>, runs: readonly NamedRun[]): ClauseDifference {
  const { subject } = difference;
  const original = originalOf(subject);
  const findings = runs.flatMap(({ run }) => run.findings);
  const shown = findings.findLast((finding) =>
    brokenClauses(finding).some(({ clause }) => clause === original),
  );
  return { ...difference, restates: original === subject ? undefined : original, got: shown?.actual };
}
