import { allClausesOf, areaOf, type Check } from '../../harness/check/check.ts';
import { runWideChecks } from '../../harness/judging/run-wide-checks.ts';
import { withWorkers } from '../../harness/run/waves.ts';
import { type Clause, clauses } from '../../spec/index.ts';
import { accessCells, cellName } from '../../suites/arrange/auth/access-matrix.ts';
import type { Mutant } from '../mutants/index.ts';
import type { Replayed } from '../replay/open-replay.ts';
import type { ServedDegenerate } from '../servers/degenerate-server.ts';
import { mutantServer } from '../servers/server.ts';
import type { VariantServer } from '../servers/variant-server.ts';
import { type DegenerateResult, judgeDegenerate } from './judge-degenerate.ts';
import { judgeMutant, type MutantResult, mutantResult } from './judge-mutant.ts';
import { judgeVariant, type VariantResult } from './judge-variant.ts';
import type { Observe } from './observe.ts';
import { type CheckProfile, likelyChecks, Profiles } from './profile.ts';
import { cheapAmong, shareOf } from './sample.ts';

/** What is tested against what. */
export interface SelftestOptions {
  readonly mutants: readonly Mutant[];
  /** Servers that conform, each with the part of the checks that it is held against: one in so many. */
  readonly variants?: readonly { readonly server: VariantServer; readonly parts: number }[];
  readonly degenerates?: readonly ServedDegenerate[];
  readonly checks: readonly Check[];
  readonly observe: Observe;
  /** Mutants that run at one time; variants and degenerate servers have as many of their own. */
  readonly concurrency: number;
  /** Judges the mutants that need no server of their own; `undefined` for one that does. */
  readonly replay?: (mutant: Mutant) => Replayed | undefined;
  /** Declared situations that never arose on the server of the contract, with every means there is; default none. */
  readonly missingSituations?: readonly string[];
  /** Mutants that all checks run against, to see what else they name; default none. */
  readonly wholeRunsOf?: (mutant: Mutant) => boolean;
  /** Whether `mutants` are only some: then nobody is idle for want of a mutant. */
  readonly isSample?: boolean;
  /** Called as soon as a server is judged. */
  readonly onResult?: (result: ServerResult, done: number, of: number) => void;
}

/** What became of one server of any kind. */
export type ServerResult = MutantResult | VariantResult | DegenerateResult;

/** What a self-test found; it is green when the lists of `faults` are empty. */
export interface SelftestReport {
  readonly results: readonly MutantResult[];
  readonly variants: readonly VariantResult[];
  readonly degenerates: readonly DegenerateResult[];
  readonly profiles: readonly CheckProfile[];
  readonly faults: {
    /** Servers that conform, and that something was held against. */
    readonly falseAlarms: readonly VariantResult[];
    /** Servers that keep no contract, and that something was granted to. */
    readonly escapes: readonly DegenerateResult[];
    readonly survivors: readonly MutantResult[];
    readonly crashes: readonly MutantResult[];
    /** Mutants whose history, judged by itself, comes to more than their run. */
    readonly hiding: readonly MutantResult[];
    /** Checks that never killed a mutant of a clause they decide. */
    readonly idleChecks: readonly string[];
    /** Checks that the contract's own server does not pass. */
    readonly unhealthyChecks: readonly CheckProfile[];
    /** Clauses with a verdict that have no mutant. */
    readonly clausesWithoutMutant: readonly Clause[];
    /** Situations in which a rule about reading or access could be broken, and that nothing puts it into. */
    readonly missingSituations: readonly string[];
  };
  readonly durationMs: number;
}

/** A check alone mostly waits: this many times as many run at one time. */
const alongside = 3;

/** Runs the checks against every server; says who is named wrongly or not at all, which checks are idle, and what is left out. */
export async function runSelftest(options: SelftestOptions): Promise<SelftestReport> {
  const startedMs = performance.now();
  const { checks, observe, concurrency } = options;
  const asked = new Profiles(checks, observe, concurrency * alongside);
  const isSample = options.isSample === true;
  // Of a few mutants only those checks need be known that may kill them.
  if (!isSample) await asked.all();
  const { mutants: results, variants, degenerates } = await judgeAllServers(options, asked);
  const profiles = await asked.made();
  return {
    results,
    variants,
    degenerates,
    profiles,
    faults: {
      falseAlarms: variants.filter(({ alarms }) => alarms.length > 0),
      escapes: degenerates.filter((each) => each.escapes.length > 0),
      survivors: results.filter(({ killedBy, crash }) => killedBy.length === 0 && crash === undefined),
      crashes: results.filter(({ crash }) => crash !== undefined),
      hiding: results.filter(({ hidden }) => hidden.length > 0),
      idleChecks: isSample ? [] : idleChecks(checks, results),
      unhealthyChecks: profiles.filter(({ trouble }) => trouble !== undefined),
      clausesWithoutMutant: isSample ? [] : clausesWithout(options.mutants),
      missingSituations: [...(options.missingSituations ?? []), ...(isSample ? [] : cellsWithout(profiles))],
    },
    durationMs: performance.now() - startedMs,
  };
}

interface Judgements {
  readonly mutants: MutantResult[];
  readonly variants: VariantResult[];
  readonly degenerates: DegenerateResult[];
}

/** Judges servers of every kind side by side: runs of many checks with a concurrency of their own, so that those of a few do not queue behind them. */
async function judgeAllServers(options: SelftestOptions, profiles: Profiles): Promise<Judgements> {
  const { checks, observe, mutants, variants = [], degenerates = [], concurrency } = options;
  const of = mutants.length + variants.length + degenerates.length;
  let done = 0;
  const told = <Result extends ServerResult>(result: Result): Result => {
    options.onResult?.(result, (done += 1), of);
    return result;
  };
  const conforming = async (): Promise<VariantResult[]> =>
    withWorkers(variants, concurrency, async ({ server, parts }) =>
      told(await judgeVariant(server, shareOf(checks, parts, server.id), { observe, isShare: parts > 1 })),
    );
  const escaping = async (): Promise<DegenerateResult[]> =>
    withWorkers(degenerates, concurrency, async (server) =>
      told(await judgeDegenerate(server, checks, observe)),
    );
  const broken = withWorkers(mutants, concurrency, async (mutant) =>
    told(await judgeOne(mutant, options, profiles)),
  );
  const degenerate = await escaping();
  return { variants: await conforming(), degenerates: degenerate, mutants: await broken };
}

async function judgeOne(mutant: Mutant, options: SelftestOptions, profiles: Profiles): Promise<MutantResult> {
  const { checks, observe, wholeRunsOf, replay } = options;
  const known = replay?.(mutant);
  if (known !== undefined) {
    const { killer, durationMs } = known;
    const killedBy = killer === undefined ? [] : [killer];
    return {
      mutant,
      killedBy,
      alsoNamed: undefined,
      neededAll: false,
      hidden: [],
      crash: undefined,
      durationMs,
    };
  }
  const likely = likelyStages(mutant, options, profiles);
  const result = await judgeMutant(mutant, { likely, all: checks, observe });
  const isWanted = result.alsoNamed === undefined && wholeRunsOf?.(mutant) === true;
  if (!isWanted) return result;
  const whole = await observe(mutantServer(mutant), cheapAmong(checks));
  const { alsoNamed, hidden } = mutantResult(mutant, whole, true);
  return { ...result, alsoNamed, hidden: [...result.hidden, ...hidden] };
}

/** The checks that may kill a mutant: the cheap ones of its area, then each once of those that its clause suggests, likeliest first. */
async function* likelyStages(
  { area, clause }: Mutant,
  { checks, isSample }: SelftestOptions,
  profiles: Profiles,
): AsyncGenerator<readonly Check[]> {
  const seen = new Set<Check>();
  const unseen = (stage: readonly Check[]): readonly Check[] =>
    stage.filter((check) => !seen.has(check) && seen.add(check));
  yield cheapAmong(checks).filter((each) => areaOf(each) === area);
  const deciding = checks.filter((check) => allClausesOf(check).some((each) => each === clause));
  if (isSample === true) yield* likelyChecks(clause, await profiles.of(deciding)).map(unseen);
  yield* likelyChecks(clause, await profiles.all()).map(unseen);
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
  return [...checks, ...runWideChecks].map(({ id }) => id).filter((id) => !busy.has(id));
}

/** Cells of the access matrix that no check judged on the server of the contract. */
function cellsWithout(profiles: readonly CheckProfile[]): string[] {
  const judged = new Set(profiles.flatMap(({ cells }) => cells));
  return accessCells.map(cellName).filter((cell) => !judged.has(cell));
}

function clausesWithout(mutants: readonly Mutant[]): Clause[] {
  const broken = new Set<string>(mutants.map(({ clause }) => clause));
  return decidableClauses().filter(({ id }) => !broken.has(id));
}
