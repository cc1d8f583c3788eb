import { type Anomaly, type Judged, judgeHistory } from '../../../history/judges/index.ts';
import type { History, Operation } from '../../../history/operation.ts';
import { type HistoryMutant, historyMutants } from '../../../selftest/histories/mutants.ts';
import { undisturbed } from '../../../selftest/histories/choices/conditions.ts';
import { simulate, type Simulated, type Simulation } from '../../../selftest/histories/simulate.ts';

/** The mutants that are asked about with every change, the first of each anomaly; the others are the night's. */
export const firstMutants: readonly HistoryMutant[] = historyMutants.filter(
  ({ anomaly }, index) => historyMutants.findIndex((each) => each.anomaly === anomaly) === index,
);

/** An eighth of those, of which it is asked too whether less knowledge, or another telling, changes what is said. */
export const fewMutants: readonly HistoryMutant[] = firstMutants.filter((_, index) => index % 8 === 0);

/** Those of some mutants that are in a quarter of all. */
export function quarterOf(mutants: readonly HistoryMutant[], part: number): readonly HistoryMutant[] {
  return mutants.filter((mutant) => historyMutants.indexOf(mutant) % 4 === part);
}

/** Numbers from 1 on. */
export function upTo(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

const known = new Map<string, Promise<Simulated>>();

/** The history of a broken service; made once for all that is asked of it. */
export function simulateMutant(mutant: HistoryMutant, seed: number): Promise<Simulated> {
  const { id, variants, events } = mutant;
  return onceFor(`${id} ${seed}`, { seed, variants, conditions: undisturbed, ...(events && { events }) });
}

/**
 * Seeds of the conforming services that are judged here, few that put every clause of the judges to the test; the night has a thousand more.
 * Of the first fourteen 12 is the one whose pages are shortened where a feed begins.
 */
export const conformingSeeds: readonly number[] = [1, 7, 8, 12, 13, 24, 32, 40, 43, 44, 48, 49, 57, 59, 60];

/** In one of so many somebody without access asks beside the others. */
const intrudedSeeds = 20;

/** The history of a conforming service; of those that are judged here made once for all that is asked of it. */
export function simulateConforming(seed: number): Promise<Simulated> {
  const simulation = { seed, hasIntruders: seed % intrudedSeeds === 0 };
  return conformingSeeds.includes(seed) ? onceFor(`conforming ${seed}`, simulation) : simulate(simulation);
}

function onceFor(name: string, simulation: Simulation): Promise<Simulated> {
  const simulated = known.get(name) ?? simulate(simulation);
  known.set(name, simulated);
  return simulated;
}

const judged = new WeakMap<History, Judged>();

/** What the judges say of a history; asked once for all that is held against it. */
export function judgedOnce(history: History): Judged {
  const known = judged.get(history) ?? judgeHistory(history);
  judged.set(history, known);
  return known;
}

/** What a mutant's history was found to show. */
export interface Found {
  /** Anomalies of the mutant's own name, under its own clause, that follow from nothing but its declared consequences. */
  readonly own: readonly Anomaly[];
  /** What should not be there: other names than the declared ones, or its own under another clause. */
  readonly others: readonly string[];
}

/** Holds a mutant's history against the judges. */
export function findIn(
  mutant: HistoryMutant,
  { history, mayWarn }: Simulated,
  judge: (history: History) => Judged = judgedOnce,
): Found {
  const { anomalies } = judge(history);
  const isOwn = ({ name, clause }: Anomaly): boolean =>
    name === mutant.anomaly && mutant.clauses.includes(clause);
  const others = anomalies.filter(
    (anomaly) =>
      !isOwn(anomaly) && !mutant.consequences.includes(anomaly.name) && !mayWarn.includes(anomaly.clause),
  );
  return {
    own: anomalies.filter(
      (anomaly) =>
        isOwn(anomaly) &&
        (anomaly.explainedBy === undefined || mutant.consequences.includes(anomaly.explainedBy)),
    ),
    others: [...new Set(others.map(({ name, clause }) => `${name} (${clause})`))],
  };
}

/** Some operations of a history by themselves; they keep their indices, so that findings can be compared. */
export function onlyWith({ facts }: History, operations: readonly Operation[]): History {
  return { facts, operations: operations.toSorted((one, other) => one.endedMs - other.endedMs) };
}

/** What a history shows, in a form that other histories can show too. */
export function namesIn(history: History): readonly string[] {
  const names = judgedOnce(history).anomalies.map(({ name, clause }) => `${name} (${clause})`);
  return [...new Set(names)].toSorted();
}
