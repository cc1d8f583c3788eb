import { createHash } from 'node:crypto';
import { tallyOf } from '../../history/situations/tally.ts';
import type { Rules } from '../../reference/index.ts';
import { cellMutants, type Mutant } from '../mutants/index.ts';
import { recordPopulation } from './recorded.ts';
import { replayed, rulesBehind } from './replay.ts';

/** One in so many is run against a server nevertheless: that a replay says what a run says is not to be taken on trust. */
const partsRun = 48;

/** Mutants that are judged by what they would have given out. */
interface OpenReplay {
  /** `undefined` for a mutant that needs a server of its own. */
  readonly judge: (mutant: Mutant) => Replayed | undefined;
  /** Situations that a clause declares, and that did not arise on the server of the contract. */
  readonly missing: readonly string[];
  readonly close: () => Promise<void>;
}

/** What became of a mutant. */
export interface Replayed {
  /** The check that names its clause; `undefined` where it survives. */
  readonly killer: string | undefined;
  readonly durationMs: number;
}

type ReplayedRun = Awaited<ReturnType<typeof recordPopulation>> & { readonly rules: Partial<Rules> };

/** Records a population for the mutants of one cell each, and one for each set of rules that some of them replace beside. */
export async function openReplay(mutants: readonly Mutant[]): Promise<OpenReplay> {
  const cells = new Set(cellMutants);
  const recordings: ReplayedRun[] = [];
  const by = new Map<Mutant, ReplayedRun>();
  for (const mutant of mutants) {
    const rules = cells.has(mutant) && !isRun(mutant) ? rulesBehind(mutant) : undefined;
    if (rules === undefined) continue;
    const known = recordings.find((each) => isSame(each.rules, rules));
    // One after the other: each wants the machine for itself.
    const recording = known ?? { ...(await recordPopulation(rules)), rules };
    if (known === undefined) recordings.push(recording);
    by.set(mutant, recording);
  }
  return {
    missing: recordings.filter(({ rules }) => Object.keys(rules).length === 0).flatMap(missingIn),
    judge: (mutant) => {
      const recording = by.get(mutant);
      return recording === undefined ? undefined : replayResult(mutant, recording);
    },
    close: async () => void (await Promise.all(recordings.map(({ close }) => close()))),
  };
}

function missingIn({ facts, exchanges }: ReplayedRun): string[] {
  const operations = exchanges.map(({ operation }) => operation);
  return tallyOf({ facts, operations }).flatMap(({ clause, missing }) =>
    missing.map((situation) => `${clause}: ${situation}`),
  );
}

function replayResult(mutant: Mutant, recording: ReplayedRun): Replayed {
  const startedMs = performance.now();
  const killer = replayed(recording, mutant);
  return { killer, durationMs: performance.now() - startedMs };
}

function isSame(one: Partial<Rules>, other: Partial<Rules>): boolean {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]) as Set<keyof Rules>;
  return [...names].every((name) => one[name] === other[name]);
}

function isRun({ id }: Mutant): boolean {
  return createHash('sha256').update(id).digest().readUInt32BE() % partsRun === 0;
}
