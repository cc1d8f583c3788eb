import type { Anomaly } from './anomaly.ts';
import type { History, Operation } from '../operation.ts';

/** Anomalies of one root, one that does not follow from another first. */
export interface Root {
  readonly lead: Anomaly;
  readonly all: readonly Anomaly[];
}

/** Gathers anomalies by what went wrong: what shares a root is one finding with several clauses. What follows from another is left out. */
export function rootsOf(anomalies: readonly Anomaly[]): readonly Root[] {
  const byRoot = new Map<string, Anomaly[]>();
  for (const anomaly of anomalies) {
    if (anomaly.explainedBy !== undefined) continue;
    byRoot.set(anomaly.root, [...(byRoot.get(anomaly.root) ?? []), anomaly]);
  }
  return [...byRoot.values()].flatMap(([lead, ...others]) =>
    lead === undefined ? [] : [{ lead, all: [lead, ...others] }],
  );
}

/** The operations of a history that pass the test, numbered afresh. */
export function partOf(history: History, isKept: (operation: Operation) => boolean): History {
  const operations = history.operations
    .filter(isKept)
    .map((operation, index): Operation => ({ ...operation, index }));
  return { ...history, operations };
}
