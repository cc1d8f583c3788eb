import type { ClauseId } from '../../spec/index.ts';
import { judges } from './index.ts';
import type { Anomaly, Judge, Judged } from './judge.ts';
import type { History, Operation } from '../operation.ts';
import { worldOf } from '../world/world.ts';

/** What all judges found in a history; anomalies in the order of the judges, causes before what they explain. */
export function judgeHistory(history: History, given: readonly Judge[] = judges): Judged {
  const world = worldOf(history);
  const opportunities = new Map<ClauseId, number>();
  const anomalies: Anomaly[] = [];
  for (const { judge } of given) {
    const judged = judge(world);
    anomalies.push(...judged.anomalies);
    for (const [clause, count] of judged.opportunities)
      opportunities.set(clause, (opportunities.get(clause) ?? 0) + count);
  }
  return { opportunities, anomalies };
}

/** Anomalies of one root, the one that explains the others first. */
export interface Root {
  readonly lead: Anomaly;
  readonly all: readonly Anomaly[];
}

/** Gathers anomalies by what went wrong: what shares a root is one finding with several clauses. */
export function rootsOf(anomalies: readonly Anomaly[]): readonly Root[] {
  const byRoot = new Map<string, Anomaly[]>();
  for (const anomaly of anomalies) byRoot.set(anomaly.root, [...(byRoot.get(anomaly.root) ?? []), anomaly]);
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
