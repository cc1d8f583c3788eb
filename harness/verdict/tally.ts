import { clauses, clientClauses } from '../../spec/index.ts';
import { type Column, columnOfCheck, columnOfClause, tallyOf, worstColumn } from '../results/column.ts';
import type { CheckEvent, ClauseVerdict, FooterEvent, Tally, Verdict } from '../results/generated/events.ts';
import { push } from '../../spec/groups.ts';

/** The verdict of a check or a clause from its parts: anything broken outweighs what was kept, which outweighs the inconclusive. */
export function worstOf(verdicts: readonly Verdict[]): Verdict {
  return worstColumn(verdicts);
}

/** The verdict of a whole check: passed only when none of its clauses that apply stayed inconclusive. */
export function verdictOfCheck(parts: readonly ClauseVerdict[]): Verdict {
  const worst = worstOf(parts.map(({ verdict }) => verdict));
  const isInconclusive = parts.some(
    ({ verdict, inapplicable }) => verdict === 'inconclusive' && inapplicable === undefined,
  );
  return worst === 'passed' && isInconclusive ? 'inconclusive' : worst;
}

/** What something says of clauses, and whether that counts. */
type Decided = Pick<CheckEvent, 'clauses' | 'isScored'>;

/** Column per clause over all checks; a clause that restates another has that one's. Clauses nobody judged are missing. */
export function columnsByClause(checks: readonly Decided[]): Map<string, Column> {
  const found = new Map<string, Column[]>();
  for (const check of checks) {
    for (const each of check.clauses) push(found, each.clause, columnOfClause(each, check));
  }
  const columns = new Map([...found].map(([clause, each]) => [clause, worstColumn(each)]));
  for (const { id, restates } of clauses) {
    const original = restates === undefined ? undefined : columns.get(restates);
    if (original !== undefined) columns.set(id, original);
  }
  return columns;
}

/** Counts checks by their verdict; those that decide nothing apart. */
export function tallyChecks(checks: readonly CheckEvent[]): Tally {
  return tallyOf(checks.map(columnOfCheck));
}

/** Counts every clause of the register, or those that `asked` names, be they of servers or of clients; those that no check decided are inconclusive, never left out. */
export function tallyClauses(
  checks: readonly Decided[],
  asked?: ReadonlySet<string>,
): FooterEvent['clauses'] {
  const columns = columnsByClause(checks);
  const counted =
    asked === undefined ? clauses : [...clauses, ...clientClauses].filter(({ id }) => asked.has(id));
  const decidable = counted.filter(({ untestable }) => untestable === undefined);
  const ofLevel = (level: string): Tally =>
    tallyOf(
      decidable.filter((clause) => clause.level === level).map(({ id }) => columns.get(id) ?? 'inconclusive'),
    );
  return {
    must: ofLevel('must'),
    inferred: ofLevel('inferred'),
    silent: counted.filter(({ level }) => level === 'silent').length,
    untestable: counted.length - decidable.length,
  };
}
