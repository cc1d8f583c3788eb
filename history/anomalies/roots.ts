import { clauseOf } from '../../spec/index.ts';
import type { Anomaly } from './judge.ts';
import type { History, Operation } from '../operation.ts';
import { push } from '../../spec/groups.ts';

/** Anomalies of one root: the lead breaks what the contract states where any of them does, and does not follow from another. */
interface Root {
  readonly lead: Anomaly;
  /** The lead first. */
  readonly all: readonly Anomaly[];
}

/** Gathers anomalies by what went wrong: what shares a root, or follows from it, is one finding with several clauses. */
export function rootsOf(anomalies: readonly Anomaly[]): readonly Root[] {
  const byRoot = new Map<string, Anomaly[]>();
  const brokenBy = new Map<string, string>();
  for (const anomaly of anomalies) {
    const root = causeOf(anomaly, brokenBy) ?? anomaly.root;
    push(byRoot, root, anomaly);
    if (!isStated(anomaly)) continue;
    for (const each of anomaly.breaks) if (!brokenBy.has(each)) brokenBy.set(each, root);
  }
  return [...byRoot.values()].flatMap((all) => {
    const own = all.filter(({ explainedBy }) => explainedBy === undefined);
    const lead = own.find(isStated) ?? own[0] ?? all[0];
    return lead === undefined ? [] : [{ lead, all: [lead, ...all.filter((each) => each !== lead)] }];
  });
}

/** Whether an anomaly breaks a clause that the contract states. */
export function isStated({ clause }: Pick<Anomaly, 'clause'>): boolean {
  return clauseOf(clause).level === 'must';
}

function causeOf(
  { explainedBy, dependsOn }: Anomaly,
  brokenBy: ReadonlyMap<string, string>,
): string | undefined {
  if (explainedBy === undefined) return undefined;
  return dependsOn.map((each) => brokenBy.get(each)).find((root) => root !== undefined);
}

/** The operations of a history that pass the test, numbered afresh. */
export function partOf(history: History, isKept: (operation: Operation) => boolean): History {
  const operations = history.operations
    .filter(isKept)
    .map((operation, index): Operation => ({ ...operation, index }));
  return { ...history, operations };
}
