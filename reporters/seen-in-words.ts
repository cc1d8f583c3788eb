import type { FindingEvent } from '../harness/results/events.ts';
import { countOf, formatCount } from './quantities.ts';

/** How often a finding was seen, out of what could have shown it. */
export function seenInWords({ seen: { times, of }, metIn }: FindingEvent): string {
  if (of === undefined) return `${countOf(times, 'time')} in all that was sent and read`;
  if (metIn !== undefined) return `in ${formatCount(times)} of ${countOf(of, 'answer')} that could show it`;
  if (times < of) return `reproduced ${times} of ${of}: intermittent`;
  return of === 1 ? 'once, not retried' : `reproduced ${times} of ${of}`;
}
