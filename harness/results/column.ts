import type { CheckEvent, ClauseVerdict, Tally, Verdict } from './events.ts';

/** Where something is counted: by its verdict, or apart when that decides nothing. */
export type Column = Verdict | 'known' | 'notScored';

const severity: Readonly<Record<Column, number>> = {
  inconclusive: 0,
  notScored: 1,
  passed: 2,
  known: 3,
  warned: 4,
  failed: 5,
};

/** Of several columns the one that tells most: anything broken outweighs what was kept, which outweighs the inconclusive. */
export function worstColumn<C extends Column>(columns: readonly C[]): C | 'inconclusive' {
  return columns.reduce<C | 'inconclusive'>(
    (worst, each) => (severity[each] > severity[worst] ? each : worst),
    'inconclusive',
  );
}

/** The column of what one check says of one clause. */
export function columnOfClause(
  { verdict, known }: ClauseVerdict,
  { isScored }: Pick<CheckEvent, 'isScored'>,
): Column {
  if (isScored === false) return verdict === 'inconclusive' ? verdict : 'notScored';
  return known === undefined ? verdict : 'known';
}

/** The column of a check: `known` only when nothing else of it is broken. */
export function columnOfCheck({ verdict, isScored, clauses }: CheckEvent): Column {
  if (isScored === false) return 'notScored';
  if (clauses.every(({ known }) => known === undefined)) return verdict;
  const rest = worstColumn(clauses.filter(({ known }) => known === undefined).map((each) => each.verdict));
  return rest === 'failed' || rest === 'warned' ? rest : 'known';
}

/** Counts columns; the two that are apart are absent when nothing is there. */
export function tallyOf(columns: readonly Column[]): Tally {
  const counts: Record<Column, number> = {
    passed: 0,
    failed: 0,
    warned: 0,
    inconclusive: 0,
    known: 0,
    notScored: 0,
  };
  for (const column of columns) counts[column] += 1;
  const { known, notScored, ...verdicts } = counts;
  return { ...verdicts, ...(known > 0 ? { known } : {}), ...(notScored > 0 ? { notScored } : {}) };
}
