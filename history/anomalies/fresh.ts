import type { JudgedClauseId } from '../../spec/index.ts';
import type { Carried } from '../operation.ts';
import { pageRoot } from './findings.ts';
import type { Anomaly, Judged } from './judge.ts';

/**
 * What was found in a chapter and not in the one before: something that was not carried on shows it, and no older page is what is wrong.
 * Without `carried` that is all.
 */
export function freshOf<Name extends string, Id extends JudgedClauseId>(
  judged: Judged<Name, Id>,
  { operations, older }: Carried = { operations: 0, older: 0 },
): Judged<Name, Id> {
  if (operations + older === 0) return judged;
  const anomalies: Anomaly<Name, Id>[] = [];
  const breaches = new Map(judged.breaches);
  const olderPages = new Set(Array.from({ length: older }, (_, index) => pageRoot({ index })));
  const isByOlder = ({ decides, dependsOn }: Anomaly<Name, Id>): boolean =>
    (decides?.index ?? older) < older || dependsOn.some((each) => olderPages.has(each));
  const takeOff = (clause: Id, times: number): unknown =>
    breaches.set(clause, (breaches.get(clause) ?? 0) - times);
  for (const anomaly of judged.anomalies)
    if (anomaly.witness.some(({ index }) => index >= operations) && !isByOlder(anomaly))
      anomalies.push(anomaly);
    else takeOff(anomaly.clause, anomaly.times ?? 1);
  for (const { clause, times, shownAt } of judged.untold) if (shownAt < operations) takeOff(clause, times);
  return { ...judged, anomalies, breaches: new Map([...breaches].filter(([, times]) => times > 0)) };
}
