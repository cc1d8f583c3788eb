import type { Operation } from '../operation.ts';
import type { Anomaly } from './anomaly.ts';

/** Of one name under one clause so many witnesses are cut down; nobody looks at more. */
const mostCutDown = 5;

/**
 * Leaves out of witnesses what is not needed to show the same. The first operation stays, and so does any send: they are the cause.
 * A witness that does not show its anomaly by itself stays as it is.
 */
export function withNeeded(
  anomalies: readonly Anomaly[],
  isShown: (anomaly: Anomaly, operations: readonly Operation[]) => boolean,
): readonly Anomaly[] {
  const counts = new Map<string, number>();
  return anomalies.map((anomaly) => {
    const key = `${anomaly.name} ${anomaly.clause}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    const isWorthIt = count <= mostCutDown && anomaly.witness.length > 1;
    return isWorthIt && isShown(anomaly, anomaly.witness) ? cutDown(anomaly, isShown) : anomaly;
  });
}

function cutDown(
  anomaly: Anomaly,
  isShown: (anomaly: Anomaly, operations: readonly Operation[]) => boolean,
): Anomaly {
  let { witness } = anomaly;
  for (const operation of anomaly.witness.slice(1).toReversed()) {
    const rest = witness.filter((each) => each !== operation);
    if (operation.kind !== 'send' && isShown(anomaly, rest)) witness = rest;
  }
  return witness.length === anomaly.witness.length ? anomaly : { ...anomaly, witness };
}
