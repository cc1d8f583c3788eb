import { brokenClauses } from '../harness/results/broken-clauses.ts';
import { type Column, worstColumn } from '../harness/results/column.ts';
import type { BrokenClause, FindingEvent } from '../harness/results/generated/events.ts';
import { columnsByClause } from '../harness/verdict/tally.ts';
import { clauses } from '../spec/index.ts';
import { knownReason, type RunSoFar } from './run-so-far.ts';

/**
 * What each clause came to, by what the checks of a run and its findings say: a campaign has no checks, and a run that was stopped may
 * have found what no check has told yet. A clause that restates another has that one's; those of which nothing is said are missing.
 */
export function clauseColumns(run: RunSoFar): Map<string, Column> {
  const columns = columnsByClause(run.checks);
  for (const finding of run.findings) {
    for (const broken of brokenClauses(finding)) {
      const column = columnOfBroken(broken, finding, run);
      columns.set(broken.clause, worstColumn([columns.get(broken.clause) ?? 'inconclusive', column]));
    }
  }
  for (const { id, restates } of clauses) {
    const original = restates === undefined ? undefined : columns.get(restates);
    if (original !== undefined) columns.set(id, original);
  }
  return columns;
}

/** True for what a run shows broken, whether a baseline knows of it or not. */
export function isBroken(column: Column | undefined): boolean {
  return column === 'failed' || column === 'warned' || column === 'known';
}

function columnOfBroken({ verdict, known }: BrokenClause, finding: FindingEvent, run: RunSoFar): Column {
  if (finding.isScored === false) return 'notScored';
  return (known ?? knownReason(finding, run)) === undefined ? verdict : 'known';
}
