import type { FindingEvent } from '../harness/results/events.ts';

/** True for a finding that decides something: not known, and of a check that is scored. */
export function isCounted({ known, isScored }: FindingEvent): boolean {
  return known === undefined && isScored !== false;
}
