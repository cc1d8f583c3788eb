import { isStated, rootsOf } from '../../history/anomalies/roots.ts';
import type { Anomaly } from '../../history/anomalies/judge.ts';
import type { Operation } from '../../history/operation.ts';
import { clauseOf } from '../../spec/index.ts';
import { comesAgain } from '../judge/failure.ts';
import type { CaseFailure } from '../judge/failure.ts';

/** What went wrong at one root. */
interface Root {
  /** The gravest first. */
  readonly failures: readonly CaseFailure[];
  /** What shows the first, its cause first. */
  readonly witness: readonly Operation[];
}

/** What judges found, as failures of cases; but for the messages of sends of which nothing more is required. */
export function failuresOf(
  anomalies: readonly Anomaly[],
  isExempt: (marker: string) => boolean,
): readonly Root[] {
  return rootsOf(anomalies).flatMap(({ all }): readonly Root[] => {
    const judged = all.filter(({ clause }) => clauseOf(clause).level !== 'silent');
    const lead = judged.find(isStated) ?? judged[0];
    if (lead === undefined || lead.witness.some((each) => isSendOf(each, isExempt))) return [];
    const failures = [lead, ...judged.filter((each) => each !== lead)].flatMap(failureOf);
    return [{ failures, witness: lead.witness }];
  });
}

function isSendOf(operation: Operation, isMeant: (marker: string) => boolean): boolean {
  return operation.kind === 'send' && isMeant(operation.content?.marker ?? '');
}

function failureOf({ clause, name, expected, actual, witness }: Anomaly): readonly CaseFailure[] {
  const [first] = witness;
  const call = first?.kind === 'read' ? first.call : first?.kind === 'send' ? 'send' : undefined;
  if (call === undefined) return [];
  const told = { clause, call, expected, actual } as const;
  return name === 'server-error'
    ? [{ ...told, part: comesAgain, seenIn: 'answer', isServerError: true }]
    : [{ ...told, part: name, seenIn: 'readBack' }];
}
