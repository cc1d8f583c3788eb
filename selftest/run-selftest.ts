import type { Check } from '../harness/engine/check.ts';
import { wireChecks } from '../harness/engine/wire-checks.ts';
import type { Mutant } from '../reference/mutants/index.ts';
import { clauses, type Clause } from '../spec/index.ts';
import { inLanes } from './lanes.ts';
import { judgeMutant, resultOf, type MutantResult } from './judge-mutant.ts';
import type { Observe } from './observe.ts';
import { likelyChecks, profileChecks, type CheckProfile } from './profile.ts';

/** What is tested against what. */
export interface SelftestOptions {
  readonly mutants: readonly Mutant[];
  readonly checks: readonly Check[];
  readonly observe: Observe;
  /** Servers that run at one time. */
  readonly lanes: number;
  /** Mutants that all checks run against, to see what else they name; default none. */
  readonly wholeRunsOf?: (mutant: Mutant) => boolean;
  /** Whether `mutants` are only some: then nobody is idle for want of a mutant. */
  readonly isSample?: boolean;
  /** Clauses that no server of ours can break alone, and why. */
  readonly unmutated?: Readonly<Partial<Record<string, string>>>;
  /** Called as soon as a mutant is judged. */
  readonly onResult?: (result: MutantResult, done: number, of: number) => void;
}

/** What a self-test found; it is green when the lists of `faults` are empty. */
export interface SelftestReport {
  readonly results: readonly MutantResult[];
  readonly profiles: readonly CheckProfile[];
  readonly faults: {
    readonly survivors: readonly MutantResult[];
    readonly crashes: readonly MutantResult[];
    /** Checks that never caught a mutant of a clause they decide. */
    readonly idleChecks: readonly string[];
    /** Checks that the contract's own server does not pass. */
    readonly unhealthyChecks: readonly CheckProfile[];
    /** Clauses with a verdict that have neither a mutant nor a reason. */
    readonly clausesWithoutMutant: readonly Clause[];
  };
  readonly durationMs: number;
}

/** Large contents cost more than all the rest, and say nothing of other clauses. */
const dearBytes = 100_000;

/** Runs the checks against every mutant and says which live, which checks are idle, and what is left out. */
export async function runSelftest(options: SelftestOptions): Promise<SelftestReport> {
  const { mutants, checks, observe, lanes, onResult } = options;
  const startedMs = performance.now();
  const profiles = await profileChecks(checks, observe, lanes);
  const cheap = checks.filter(({ bodyBytes }) => bodyBytes <= dearBytes);
  let done = 0;
  const results = await inLanes(mutants, lanes, async (mutant) => {
    const likely = likelyChecks(mutant.clause, profiles);
    const result = await judgeMutant(mutant, { likely, all: checks, observe });
    const isWanted = result.alsoNamed === undefined && options.wholeRunsOf?.(mutant) === true;
    const { alsoNamed } = isWanted ? resultOf(mutant, await observe(mutant, cheap), true) : result;
    const judged = { ...result, alsoNamed };
    onResult?.(judged, (done += 1), mutants.length);
    return judged;
  });
  return {
    results,
    profiles,
    faults: {
      survivors: results.filter(({ killedBy, crash }) => killedBy.length === 0 && crash === undefined),
      crashes: results.filter(({ crash }) => crash !== undefined),
      idleChecks: options.isSample === true ? [] : idleChecks(checks, results),
      unhealthyChecks: profiles.filter(({ trouble }) => trouble !== undefined),
      clausesWithoutMutant: options.isSample === true ? [] : clausesWithout(mutants, options.unmutated ?? {}),
    },
    durationMs: performance.now() - startedMs,
  };
}

/** Whether nothing is left to be done. */
export function isGreen({ faults }: SelftestReport): boolean {
  return Object.values(faults).every((each: readonly unknown[]) => each.length === 0);
}

/** Every clause that a run can decide. */
export function decidableClauses(): readonly Clause[] {
  return clauses.filter(
    ({ level, untestable, restates }) =>
      level !== 'silent' && untestable === undefined && restates === undefined,
  );
}

function idleChecks(checks: readonly Check[], results: readonly MutantResult[]): string[] {
  const busy = new Set(results.flatMap(({ killedBy }) => killedBy));
  return [...checks, ...wireChecks].map(({ id }) => id).filter((id) => !busy.has(id));
}

function clausesWithout(
  mutants: readonly Mutant[],
  unmutated: NonNullable<SelftestOptions['unmutated']>,
): Clause[] {
  const broken = new Set<string>(mutants.map(({ clause }) => clause));
  return decidableClauses().filter(({ id }) => !broken.has(id) && unmutated[id] === undefined);
}
