import { readFileSync } from 'node:fs';
import { wireChecks } from '../../harness/wire/wire-checks.ts';
import { clauses, packageFile } from '../../spec/index.ts';
import { allChecks } from '../index.ts';

/** Ids that people write down: in baselines, in `--require`, in issues. None may disappear or change its meaning. */
export interface PinnedIds {
  readonly checks: readonly string[];
  readonly clauses: readonly string[];
}

/** From the package root. */
export const pinnedIdsPath = 'test/suites/release/pinned-ids.json';

/** The ids as they are now, sorted. */
export function currentIds(): PinnedIds {
  return {
    checks: [...allChecks, ...wireChecks].map(({ id }) => id).toSorted(),
    clauses: clauses.map(({ id }): string => id).toSorted(),
  };
}

/** The ids as they were last pinned. */
export function readPinnedIds(): PinnedIds {
  return JSON.parse(readFileSync(packageFile(pinnedIdsPath), 'utf8')) as PinnedIds;
}

/** Those of `earlier` that `later` lacks. */
export function missingFrom(later: PinnedIds, earlier: PinnedIds): PinnedIds {
  return {
    checks: earlier.checks.filter((id) => !later.checks.includes(id)),
    clauses: earlier.clauses.filter((id) => !later.clauses.includes(id)),
  };
}
