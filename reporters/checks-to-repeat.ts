import type { FindingEvent } from '../harness/results/events.ts';

/**
 * The checks that show a finding again: the one that caused it, and the one that showed it where that is another, since
 * a message that one sends and another reads takes both.
 */
export function checksToRepeat({
  check,
  metIn = check,
  cause,
}: Pick<FindingEvent, 'check' | 'metIn' | 'cause'>): readonly string[] {
  return [...new Set([cause?.check ?? metIn, metIn])];
}
