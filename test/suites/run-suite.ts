import { targetOfReference } from '../../embedded/reference-hooks.ts';
import { areaOf, type Check } from '../../harness/check/check.ts';
import type { Target } from '../../harness/config/target.ts';
import { runWideAreas } from '../../harness/judging/run-wide-checks.ts';
import { brokenClauses } from '../../harness/results/broken-clauses.ts';
import type {
  CheckEvent,
  FindingEvent,
  FooterEvent,
  ObservationEvent,
  PreflightEvent,
  ResultEvent,
} from '../../harness/results/generated/events.ts';
import { runChecks, type RunOptions } from '../../harness/run/run-checks.ts';
import { startReference } from '../../reference/index.ts';
import { allChecks } from '../../suites/index.ts';

/** A run as tests look at it. */
export interface SuiteRun {
  readonly events: readonly ResultEvent[];
  readonly checks: readonly CheckEvent[];
  readonly findings: readonly FindingEvent[];
  readonly observations: readonly ObservationEvent[];
  readonly preflight: PreflightEvent | undefined;
  readonly footer: FooterEvent;
}

export type ReferenceOptions = NonNullable<Parameters<typeof startReference>[0]>;

/** Checks, or the ids of some, or what their ids have in common. */
export type Which = string | RegExp | readonly (string | Check)[];

/**
 * The checks that are meant.
 * @throws Error where an id is that of none
 */
export function checksOf(which: Which): readonly Check[] {
  if (which instanceof RegExp) return allChecks.filter(({ id }) => which.test(id));
  return [which].flat().map((each) => {
    if (typeof each !== 'string') return each;
    const check = allChecks.find(({ id }) => id === each);
    if (check === undefined) throw new Error(`there is no check ${each}`);
    return check;
  });
}

/** What else than the checks of that area reads the population. */
const readingPopulation = ['file.is-seen-by-another-agent', 'mentions.default-limit-is-50'];

/**
 * Checks without the population, two hundred messages and all who read them, which take as much of a core as a hundred other checks: where
 * the question is another. It is asked about in `run-again` and `judged-alike`.
 */
export function withoutPopulation(checks: readonly Check[]): readonly Check[] {
  return checks.filter((check) => areaOf(check) !== 'population' && !readingPopulation.includes(check.id));
}

/** Runs checks against a reference of its own, started with `options`; every role of its world is in the target. */
export async function runAgainst(
  checks: Which,
  options: ReferenceOptions = {},
  runOptions: Partial<RunOptions> & { target?: (target: Target) => Target } = {},
): Promise<SuiteRun> {
  await using reference = await startReference(options);
  // The reference shows at once what it accepted: waiting longer would only take longer.
  const target = { ...targetOfReference(reference), settleMs: 100 };
  return await runOn(checks, runOptions.target?.(target) ?? target, runOptions);
}

/** Runs checks against any target. */
export async function runOn(
  which: Which,
  target: Target,
  runOptions: Partial<RunOptions> = {},
): Promise<SuiteRun> {
  const events: ResultEvent[] = [];
  const onEvent = (event: ResultEvent): unknown => events.push(event);
  const footer = await runChecks(checksOf(which), target, { ...runOptions, onEvent });
  const of = <T extends ResultEvent['type']>(type: T): Extract<ResultEvent, { type: T }>[] =>
    events.filter((event): event is Extract<ResultEvent, { type: T }> => event.type === type);
  return {
    events,
    footer,
    checks: of('check'),
    findings: of('finding'),
    observations: of('observation'),
    preflight: of('preflight')[0],
  };
}

/** `clause verdict` of every clause that was found broken, sorted: what tests compare. */
export function findingsOf({ findings }: SuiteRun): string[] {
  const broken = findings.flatMap(brokenClauses);
  return broken.map(({ clause, verdict }) => `${clause} ${verdict}`).toSorted();
}

/** The verdict of a check on each of its clauses; of all that ran where none is named, but for those that watch the whole run. */
export function verdictsOf({ checks }: SuiteRun, id?: string): Readonly<Record<string, string>> {
  const meant = checks.filter(({ check, area }) =>
    id === undefined ? !runWideAreas.has(area) : check === id,
  );
  return Object.fromEntries(
    meant.flatMap(({ clauses }) => clauses.map(({ clause, verdict }) => [clause, verdict] as const)),
  );
}

/** Why each check that did not pass did not, for messages of failing tests. */
export function notPassed({ checks }: SuiteRun): string[] {
  return checks
    .filter(({ verdict, area }) => verdict !== 'passed' && !runWideAreas.has(area))
    .map(
      ({ check, clauses }) =>
        `${check}: ${clauses.map(({ clause, verdict, reason }) => `${clause} ${verdict} ${reason ?? ''}`).join('; ')}`,
    );
}
