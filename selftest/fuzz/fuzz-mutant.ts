import { targetOfReference } from '../../embedded/reference-hooks.ts';
import { runFuzz } from '../../fuzz/campaign/run-fuzz.ts';
import { verdictOf } from '../../fuzz/judge/failure.ts';
import type { CampaignEnd } from '../../harness/results/generated/events.ts';
import { verdictWhenBroken } from '../../harness/verdict/outcome.ts';
import { startReference } from '../../reference/index.ts';
import type { Mutant } from '../mutants/index.ts';

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

/** What the campaigns against mutants have in common. */
export interface FuzzMutantOptions {
  readonly maxCases: number;
  readonly seed: number;
}

const settleMs = 20;

/** Runs a campaign against one mutant until its clause is named, by the verdict of its level, or the cases are over. */
export async function fuzzMutant(mutant: Mutant, options: FuzzMutantOptions): Promise<FuzzedMutant> {
  const reference = await startReference(mutant.options());
  const found = new AbortController();
  const named = new Set<string>();
  let casesToFind: number | undefined;
  try {
    const target = targetOfReference(reference);
    const outcome = await runFuzz(
      { ...target, settleMs, limits: { ...target.limits, maxBytes: Number.MAX_SAFE_INTEGER } },
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
    );
    return {
      id: mutant.id,
      casesToFind,
      alsoNamed: [...named],
      cases: outcome.result?.cases ?? 0,
      end: outcome.result?.end ?? 'not-run',
    };
  } finally {
    await reference.close();
  }
}
