import { runWideChecks } from '../../harness/judging/run-wide-checks.ts';
import { allChecks } from '../index.ts';
import type { RequirementFile } from './requirement-sets.ts';

/**
 * The ids of all checks, those that watch the wire included, sorted. People write them down: in baselines, in gates, in
 * issues. The requirement sets pin them.
 */
export function checkIds(): readonly string[] {
  return [...allChecks, ...runWideChecks].map(({ id }) => id).toSorted();
}

/** The ids that a requirement set pins and that no check has any more. */
export function goneFrom({ checks }: RequirementFile, current: readonly string[]): readonly string[] {
  return [...checks].filter((id) => !current.includes(id));
}

/** The ids that a set still has to pin; none once it is frozen. */
export function unpinnedIn(
  { checks, isFrozen }: RequirementFile,
  current: readonly string[],
): readonly string[] {
  return isFrozen ? [] : current.filter((id) => !checks.has(id));
}
