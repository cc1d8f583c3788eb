import { targetOfReference } from '../../embedded/reference-hooks.ts';
import type { Finding } from '../../fuzz/campaign/finding.ts';
import { runFuzz } from '../../fuzz/campaign/run-fuzz.ts';
import type { FuzzOutcome } from '../../fuzz/campaign/run-fuzz.ts';
import { startReference } from '../../reference/index.ts';
import type { Reference } from '../../reference/index.ts';
import { combinationOf, startCombination } from '../variants/index.ts';

/** A campaign against a server that keeps the contract. */
export interface SoundRun {
  readonly name: string;
  readonly judged: number;
  readonly leftOut: FuzzOutcome['leftOut'];
  /** What it holds against the server though the contract does not. */
  readonly alarms: readonly Finding[];
}

/** Runs a campaign against the contract's own server. */
export async function fuzzClean(seed: number, maxCases: number): Promise<SoundRun> {
  const outcome = await campaignAt(await startReference(), seed, maxCases);
  return soundRun(`seed ${seed}`, outcome, new Set());
}

/** Runs a campaign against a random combination of variants. */
export async function fuzzCombination(seed: number, maxCases: number): Promise<SoundRun> {
  const combination = combinationOf(seed);
  const outcome = await campaignAt(await startCombination(combination), seed, maxCases);
  const mayWarn = new Set<string>(combination.variants.flatMap((variant) => variant.mayWarn ?? []));
  const ids = combination.variants.map(({ id }) => id);
  return soundRun(`combination ${seed} of ${ids.join(', ')}`, outcome, mayWarn);
}

function soundRun(name: string, outcome: FuzzOutcome, mayWarn: ReadonlySet<string>): SoundRun {
  const { result, leftOut } = outcome;
  return { name, judged: result?.judged ?? 0, leftOut, alarms: alarmsOf(outcome, mayWarn) };
}

function alarmsOf({ result }: FuzzOutcome, mayWarn: ReadonlySet<string>): readonly Finding[] {
  return (result?.findings ?? []).filter(
    ({ verdict, failure }) => verdict === 'failed' || !mayWarn.has(failure.clause),
  );
}

async function campaignAt(reference: Reference, seed: number, maxCases: number): Promise<FuzzOutcome> {
  try {
    const target = targetOfReference(reference);
    return await runFuzz(
      { ...target, limits: { ...target.limits, maxBytes: Number.MAX_SAFE_INTEGER } },
      {
        seed,
        maxCases,
      },
    );
  } finally {
    await reference.close();
  }
}
