import type { Check } from '../../harness/check/check.ts';
import { verdictWhenBroken } from '../../harness/verdict/outcome.ts';
import type { Mutant } from '../mutants/index.ts';
import type { Observation } from '../servers/observation.ts';
import { mutantServer } from '../servers/server.ts';
import type { Observe } from './observe.ts';

/** What became of a mutant. */
export interface MutantResult {
  readonly mutant: Mutant;
  /** Checks that named its clause, with the verdict that its level asks for; `preflight` when it refuses a role. */
  readonly killedBy: readonly string[];
  /** Other clauses that were named broken, where all checks ran; `undefined` where only some did. */
  readonly alsoNamed: readonly string[] | undefined;
  /** No check that is likely to see it did, so that all had to run: expensive, and the checks of its clause lean on others. */
  readonly neededAll: boolean;
  /** What the judges of its histories found broken, and its runs did not count. */
  readonly hidden: readonly string[];
  /** Why its run did not come to an end before anything killed it; `undefined` where it did, or where it was killed. */
  readonly crash: string | undefined;
  readonly durationMs: number;
}

/** Runs the likely checks, stage by stage, and all of them when the mutant survives those. */
export async function judgeMutant(
  mutant: Mutant,
  { likely, all, observe }: MutantJudging,
): Promise<MutantResult> {
  const before: string[] = [];
  for await (const stage of likely) {
    if (stage.length === 0) continue;
    // The next stage is needed only when this one killed nothing.
    const observation = await observe(mutantServer(mutant), stage);
    const hidden = [...before, ...observation.hidden];
    if (observation.end !== 'complete' || killersOf(mutant, observation).length > 0) {
      return { ...mutantResult(mutant, observation, false), hidden };
    }
    before.push(...observation.hidden);
  }
  const whole = await observe(mutantServer(mutant), all);
  return { ...mutantResult(mutant, whole, true), neededAll: true, hidden: [...before, ...whole.hidden] };
}

interface MutantJudging {
  /** Checks that may kill it, likeliest first. */
  readonly likely: AsyncIterable<readonly Check[]>;
  readonly all: readonly Check[];
  readonly observe: Observe;
}

/** What a run of all checks says of a mutant. */
export function mutantResult(mutant: Mutant, observation: Observation, isWhole: boolean): MutantResult {
  const { judged, hidden, end, reason, durationMs } = observation;
  const killedBy = killersOf(mutant, observation);
  // A mutant that was killed may break so far that the run ends early; a crash of the suite always counts.
  const hasEnded = end === 'complete' || (end === 'interrupted' && killedBy.length > 0);
  const others = judged.filter(({ clause, verdict }) => clause !== mutant.clause && verdict !== 'passed');
  return {
    mutant,
    killedBy,
    alsoNamed: isWhole ? [...new Set(others.map(({ clause }) => clause))].toSorted() : undefined,
    neededAll: false,
    hidden,
    crash: hasEnded ? undefined : (reason ?? end),
    durationMs,
  };
}

/** What a run before its checks is called here. */
const inPreflight = 'preflight';

function killersOf({ clause, level, refuses }: Mutant, { judged, errors }: Observation): string[] {
  if (refuses !== undefined) {
    // One credential that opens nothing among good ones, and that of no other role.
    const [only, ...others] = errors;
    const isNamed = ['is refused', 'could not be tried'].some(
      (words) => only?.startsWith(`the credential of ${refuses} ${words}: `) === true,
    );
    return isNamed && others.length === 0 && judged.length === 0 ? [inPreflight] : [];
  }
  return judged
    .filter((each) => each.clause === clause && each.verdict === verdictWhenBroken(level))
    .map(({ check }) => check);
}
