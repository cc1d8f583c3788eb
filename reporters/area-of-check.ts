import { runWideAreas } from '../harness/judging/run-wide-checks.ts';
import type { CheckEvent } from '../harness/results/events.ts';

/** The area of the contract that a check speaks of: one that only watches what others receive counts among those of its clauses. */
export function areaOfCheck({ check, area }: Pick<CheckEvent, 'check' | 'area'>): string {
  const [watcher = '', about] = check.split('.');
  return runWideAreas.has(watcher) && about !== undefined ? about : area;
}
