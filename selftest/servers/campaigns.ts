import { targetOfReference } from '../../embedded/reference-hooks.ts';
import type { Finding } from '../../fuzz/campaign/finding.ts';
import { type FuzzOutcome, runFuzz } from '../../fuzz/campaign/run-fuzz.ts';
import { verdictOf } from '../../fuzz/judge/failure.ts';
import type { CampaignEnd } from '../../harness/results/generated/events.ts';
import { verdictWhenBroken } from '../../harness/verdict/outcome.ts';
import { type Reference, startReference } from '../../reference/index.ts';
import type { Mutant } from '../mutants/index.ts';
import { withoutByteLimit } from './server.ts';
import { combinationOf, startCombination } from '../variants/index.ts';

/** How far a campaign got with a mutant. */
export interface FuzzedMutant {
  readonly id: string;
  /** Cases judged before the first that broke the mutant's own clause; `undefined` when none did. */
  readonly casesToFind: number | undefined;
  /** Other clauses that were named broken until then. */
  readonly alsoNamed: readonly string[];
  readonly cases: number;
  /** How its campaign ended; `not-run` when none could begin. */
  readonly end: CampaignEnd | 'not-run';
}

/** A campaign against a server that keeps the contract. */
export interface SoundRun {
  readonly name: string;
  readonly judged: number;
  readonly leftOut: FuzzOutcome['leftOut'];
  /** What it holds against the server though the contract does not. */
  readonly alarms: readonly Finding[];
}

/** How long a campaign is. */
export interface CampaignOptions {
  readonly maxCases: number;
  readonly seed: number;
}

type Campaign = Parameters<typeof runFuzz>[1];

/** A mutant shows what it stores at once. */
const settleMs = 20;

/** Runs a campaign against one mutant until its clause is named, by the verdict of its level, or the cases are over. */
export async function fuzzMutant(mutant: Mutant, options: CampaignOptions): Promise<FuzzedMutant> {
  const found = new AbortController();
  const named = new Set<string>();
  let casesToFind: number | undefined;
  const { result } = await campaignAt(
    await startReference(mutant.options()),
    {
      ...options,
      signal: found.signal,
      onFailure({ clause }, cases) {
        if (clause !== mutant.clause) named.add(clause);
        else if (verdictOf(clause) === verdictWhenBroken(mutant.level)) {
          casesToFind ??= cases;
          found.abort();
        }
      },
    },
    { settleMs },
  );
  const { cases = 0, end = 'not-run' } = result ?? {};
  return { id: mutant.id, casesToFind, alsoNamed: [...named], cases, end };
}

/** Runs a campaign against the contract's own server. */
export async function fuzzClean(options: CampaignOptions): Promise<SoundRun> {
  const outcome = await campaignAt(await startReference(), options);
  return soundRun(`seed ${options.seed}`, outcome, []);
}

/** Runs a campaign against a random combination of variants. */
export async function fuzzCombination(options: CampaignOptions): Promise<SoundRun> {
  const combination = combinationOf(options.seed);
  const outcome = await campaignAt(await startCombination(combination), options);
  const ids = combination.variants.map(({ id }) => id);
  const mayWarn = combination.variants.flatMap((variant) => variant.mayWarn ?? []);
  return soundRun(`combination ${options.seed} of ${ids.join(', ')}`, outcome, mayWarn);
}

function soundRun(name: string, { result, leftOut }: FuzzOutcome, mayWarn: readonly string[]): SoundRun {
  const alarms = (result?.findings ?? []).filter(
    ({ verdict, failure }) => verdict === 'failed' || !mayWarn.includes(failure.clause),
  );
  return { name, judged: result?.judged ?? 0, leftOut, alarms };
}

async function campaignAt(
  reference: Reference,
  campaign: Campaign,
  changed: { readonly settleMs?: number } = {},
): Promise<FuzzOutcome> {
  try {
    return await runFuzz({ ...withoutByteLimit(targetOfReference(reference)), ...changed }, campaign);
  } finally {
    await reference.close();
  }
}
