import type { StaleEntry } from '../harness/results/events.ts';

/** What is to be done about an entry of a baseline that no longer holds. */
export function whatNow({ problem, expires = '' }: StaleEntry): string {
  return problem === 'expired'
    ? `expired on ${expires}: fix the server or extend \`expires\``
    : 'passed: remove the entry';
}
