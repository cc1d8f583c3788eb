import { spanOf } from '../../history/anomalies/around.ts';
import type { Operation } from '../../history/operation.ts';
import type { Timeline, TimelineOperation } from '../results/generated/events.ts';
import { cut } from '../output/printable.ts';
import { operationLine } from './operation-line.ts';

/** However many operations show an anomaly: what a page can draw. */
const mostOperations = 200;
/** Characters of what an operation was; those that show the anomaly have more. */
const longestText = 160;
const longestWitnessText = 600;

/**
 * The timeline of a finding for a result stream: its witness, whose first operation is the cause if no change is among them, among what went
 * on around it.
 * @param nameOf see {@link operationLine}
 */
export function timelineOf(
  witness: readonly Operation[],
  around: readonly Operation[] = witness,
  nameOf: (operation: Operation) => string | undefined = () => undefined,
): Timeline {
  const shown = boundedTo(mostOperations, around, witness);
  const letters = new Map(byTime(witness).map((operation, index) => [operation, letterOf(index)]));
  const [sinceMs] = spanOf(shown);
  // Where the operator changed something meanwhile, that may be it.
  const cause = witness.some(({ kind }) => kind === 'change') ? undefined : witness[0];
  return {
    operations: shown.map((operation): TimelineOperation => {
      const letter = letters.get(operation);
      const text = operationLine(operation, sinceMs, nameOf(operation));
      const { kind, client, outcome, startedMs, endedMs } = operation;
      return {
        client: kind === 'change' ? 'operator' : client,
        outcome: kind === 'change' ? kind : outcome,
        startMs: rounded(startedMs - sinceMs),
        endMs: rounded(endedMs - sinceMs),
        text: cut(text, letter === undefined ? longestText : longestWitnessText),
        ...(letter === undefined ? {} : { letter }),
        ...(operation === cause ? { isCause: true } : {}),
      };
    }),
  };
}

/** Operations in the order in which they began. */
export function byTime(operations: readonly Operation[]): readonly Operation[] {
  return operations.toSorted((one, other) => one.startedMs - other.startedMs);
}

/** So many of the operations, by time; those of the witness go before others. */
function boundedTo(
  most: number,
  operations: readonly Operation[],
  witness: readonly Operation[],
): readonly Operation[] {
  const shown = new Set(witness.slice(0, most));
  for (const each of operations) if (shown.size < most) shown.add(each);
  return byTime([...shown]);
}

/** Names the operations of a witness. */
function letterOf(index: number): string {
  return String.fromCharCode(65 + (index % 26));
}

/** To the tenth of a microsecond: more says nothing, and takes room. */
function rounded(ms: number): number {
  return Math.round(ms * 10_000) / 10_000;
}
