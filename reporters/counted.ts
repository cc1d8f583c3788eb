import type { FindingEvent } from '../harness/results/events.ts';
import type { RunSoFar } from './run-so-far.ts';

/** True for a finding that decides something: not known, and of a check that is scored. */
function isCounted({ known, isScored }: FindingEvent): boolean {
  return known === undefined && isScored !== false;
}

/** The findings of a run that decide something; of a campaign its end says which do not. */
export function countedIn(run: Pick<RunSoFar, 'findings' | 'footer'>): readonly FindingEvent[] {
  return run.findings.filter((each) => isCounted(each) && knownReason(each, run) === undefined);
}

/** Why the baseline expects a finding. */
export function knownReason(
  { known, id }: FindingEvent,
  { footer }: Pick<RunSoFar, 'footer'>,
): string | undefined {
  return known ?? footer?.campaign?.seen[id]?.known;
}
