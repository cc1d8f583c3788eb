import { columnsByClause } from '../harness/verdict/tally.ts';
import type { CheckEvent } from '../harness/results/generated/events.ts';
import { clauses } from '../spec/index.ts';
import { withRestated } from './broken-ids.ts';

/** What asks nothing of a server, for one reason. */
export interface InapplicableGroup {
  /** As `this server has no receipts (405)`. */
  readonly text: string;
  /** Clauses that nothing else decides, with those that say the same. */
  readonly clauses: readonly string[];
  /** Checks that could not be made there, those about other clauses too. */
  readonly checks: readonly string[];
}

/** What does not apply to a server, by what it does not have. */
export function inapplicableGroups(checks: readonly CheckEvent[]): readonly InapplicableGroup[] {
  const columns = columnsByClause(checks);
  const groups = new Map<string, { clauses: Set<string>; checks: Set<string> }>();
  for (const { check, clauses: said } of checks) {
    for (const { clause, level, inapplicable } of said) {
      if (inapplicable === undefined) continue;
      const group = groups.get(inapplicable) ?? { clauses: new Set(), checks: new Set() };
      groups.set(inapplicable, group);
      group.checks.add(check);
      if (level !== 'silent' && columns.get(clause) === 'notApplicable') group.clauses.add(clause);
    }
  }
  const order = clauses.map(({ id }): string => id);
  const inOrder = (ids: readonly string[]): readonly string[] =>
    ids.toSorted((one, other) => order.indexOf(one) - order.indexOf(other));
  return [...groups].map(([text, group]) => ({
    text,
    clauses: inOrder(withRestated([...group.clauses])),
    checks: [...group.checks],
  }));
}
