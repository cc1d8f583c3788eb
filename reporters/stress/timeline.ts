import { spanOf } from '../../history/anomalies/around.ts';
import type { Operation } from '../../history/operation.ts';
import type { Timeline, TimelineOperation } from '../../harness/results/generated/events.ts';
import type { Finding } from '../../stress/run/judged.ts';
import { operationLine } from '../history/operation-line.ts';
import { letterOf } from './letter-of.ts';

/** However many operations show an anomaly: what a page can draw. */
const mostOperations = 200;
/** Characters of what an operation was; those that show the anomaly have more. */
const longestText = 160;
const longestWitnessText = 600;

/** The timeline of a finding for a result stream. */
export function timelineOf({ lead: { witness }, around }: Pick<Finding, 'lead' | 'around'>): Timeline {
  const shown = boundedTo(mostOperations, around, witness);
  const [sinceMs] = spanOf(shown);
  return {
    operations: shown.map((operation): TimelineOperation => {
      const letter = witness.indexOf(operation);
      const text = operationLine(operation, sinceMs);
      const { kind, client, outcome, startedMs, endedMs } = operation;
      return {
        client: kind === 'change' ? 'operator' : client,
        outcome: kind === 'change' ? kind : outcome,
        startMs: rounded(startedMs - sinceMs),
        endMs: rounded(endedMs - sinceMs),
        text: cut(text, letter < 0 ? longestText : longestWitnessText),
        ...(letter < 0 ? {} : { letter: letterOf(letter) }),
      };
    }),
  };
}

/** So many of the operations; those of the witness go before others. */
function boundedTo(
  most: number,
  operations: readonly Operation[],
  witness: readonly Operation[],
): readonly Operation[] {
  if (operations.length <= most) return operations;
  const shown = new Set(witness.slice(0, most));
  for (const each of operations) if (shown.size < most) shown.add(each);
  return operations.filter((each) => shown.has(each));
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}

/** To the tenth of a microsecond: more says nothing, and takes room. */
function rounded(ms: number): number {
  return Math.round(ms * 10_000) / 10_000;
}
