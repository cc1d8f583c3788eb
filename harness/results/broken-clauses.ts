import type { BrokenClause, FindingEvent } from './generated/events.ts';

/** Every clause that a finding says is broken, the gravest first. */
export function brokenClauses(
  finding: Pick<FindingEvent, 'clause' | 'level' | 'verdict' | 'check' | 'clauses'>,
): readonly BrokenClause[] {
  const { clause, level, verdict, check, clauses } = finding;
  return clauses ?? [{ clause, level, verdict, check }];
}
