import type { Operation } from '../operation.ts';
import { messageRoot } from './findings.ts';
import type { Anomaly } from './judge.ts';

/** Operations that are shown before and after each of a witness. */
const context = 20;

/** The witness of an anomaly, what ended shortly before and after each of its operations, and the restarts among them, by time. */
export function operationsAround(
  operations: readonly Operation[],
  witness: readonly Operation[],
): readonly Operation[] {
  const shown = new Set<Operation>(witness);
  const places = witness.map((operation) => operations.indexOf(operation)).filter((place) => place >= 0);
  for (const place of places) {
    const near = operations.slice(Math.max(0, place - context), place + context + 1);
    for (const operation of near) shown.add(operation);
  }
  const [startMs, endMs] = spanOf([...shown]);
  for (const operation of operations) {
    if (operation.kind === 'change' && operation.endedMs >= startMs && operation.startedMs <= endMs)
      shown.add(operation);
  }
  return [...shown].toSorted((one, other) => one.startedMs - other.startedMs);
}

/**
 * The witness of an anomaly and, behind it, what lay between its first and its last operation that may have brought it about: restarts, and
 * new names of whoever stands behind its message.
 */
export function withChanges(
  operations: readonly Operation[],
  { witness, root }: Pick<Anomaly, 'witness' | 'root'>,
): readonly Operation[] {
  const [startMs, endMs] = spanOf(witness);
  const behind = namesBehind(witness, root);
  const changes = operations.filter(
    (each) =>
      each.kind === 'change' &&
      (each.change === 'restart' || (each.change === 'rename' && behind.has(each.subject))) &&
      each.outcome !== 'refused' &&
      each.startedMs >= startMs &&
      each.endedMs <= endMs,
  );
  return [...new Set([...witness, ...changes])];
}

/** The ids of the agent, the human and the machine that reads show behind a message, which its root names, in lower case. */
function namesBehind(witness: readonly Operation[], root: string): ReadonlySet<string | undefined> {
  const authors = witness.flatMap((each) =>
    each.kind === 'read'
      ? each.items.flatMap(({ message }) => (messageRoot(message) === root ? (message.author ?? []) : []))
      : [],
  );
  const ids = authors.flatMap(({ id, human, machine }) => [id, human?.id, machine?.id]);
  return new Set(ids.flatMap((id) => id?.toLowerCase() ?? []));
}

/** When the first of some operations began, and the last one ended. */
export function spanOf(operations: readonly Operation[]): [startMs: number, endMs: number] {
  const startMs = operations.reduce((least, each) => Math.min(least, each.startedMs), Infinity);
  const endMs = operations.reduce((most, each) => Math.max(most, each.endedMs), -Infinity);
  return operations.length === 0 ? [0, 0] : [startMs, endMs];
}
