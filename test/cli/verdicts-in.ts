import type { CheckEvent } from '../../harness/results/generated/events.ts';
import { eventsIn } from '../fixtures/stream.ts';

/** The checks of a kept result stream. */
export function checksIn(file: string): CheckEvent[] {
  return eventsIn(file).filter((event) => event.type === 'check');
}

/** `check clause verdict` of every clause of every check of a kept result stream, sorted. */
export function verdictsIn(file: string): string[] {
  return checksIn(file)
    .flatMap(({ check, clauses }) => clauses.map(({ clause, verdict }) => `${check} ${clause} ${verdict}`))
    .toSorted();
}
