import type { CheckEvent, ClauseVerdict, Tally, Verdict } from './generated/events.ts';

/** Where something is counted: by its verdict, or apart when that decides nothing. */
export type Column = Verdict | 'known' | 'notScored' | 'notApplicable';

/** Every column with its heading, in the order of a table. */
export const columnNames: Readonly<Record<Column, string>> = {
  passed: 'passed',
  failed: 'failed',
  warned: 'warned',
  inconclusive: 'inconclusive',
  known: 'known',
  notScored: 'not scored',
  notApplicable: 'does not apply',
};

/** Every column, in the order of a table. */
export const columns = Object.keys(columnNames) as readonly Column[];

const severity: Readonly<Record<Column, number>> = {
  notApplicable: 0,
  inconclusive: 1,
  notScored: 2,
  passed: 3,
  known: 4,
  warned: 5,
  failed: 6,
};

/**
 * Of several columns the one that tells most: anything broken outweighs what was kept, which outweighs the inconclusive. Something
 * does not apply only where nothing says otherwise.
 */
export function worstColumn<C extends Column>(among: readonly C[]): C | 'inconclusive' {
  const [first = 'inconclusive', ...others] = among;
  return others.reduce<C | 'inconclusive'>(
    (worst, each) => (severity[each] > severity[worst] ? each : worst),
    first,
  );
}

/** The column of what one check says of one clause. */
export function columnOfClause(
  { verdict, known, inapplicable }: ClauseVerdict,
  { isScored }: Pick<CheckEvent, 'isScored'>,
): Column {
  if (inapplicable !== undefined) return 'notApplicable';
  if (isScored === false) return verdict === 'inconclusive' ? verdict : 'notScored';
  return known === undefined ? verdict : 'known';
}

/** The column of a check: `known` only when nothing else of it is broken. */
export function columnOfCheck({ verdict, isScored, clauses }: CheckEvent): Column {
  if (isScored === false) return 'notScored';
  if (verdict === 'inconclusive' && clauses.every(({ inapplicable }) => inapplicable !== undefined))
    return 'notApplicable';
  if (clauses.every(({ known }) => known === undefined)) return verdict;
  const rest = worstColumn(clauses.filter(({ known }) => known === undefined).map((each) => each.verdict));
  return rest === 'failed' || rest === 'warned' ? rest : 'known';
}

/** Counts columns; those that are apart are absent when nothing is there. */
export function tallyOf(counted: readonly Column[]): Tally {
  const countOf = (column: Column): number => counted.filter((each) => each === column).length;
  const apart = (['known', 'notScored', 'notApplicable'] as const).filter((column) => countOf(column) > 0);
  return {
    passed: countOf('passed'),
    failed: countOf('failed'),
    warned: countOf('warned'),
    inconclusive: countOf('inconclusive'),
    ...Object.fromEntries(apart.map((column) => [column, countOf(column)])),
  };
}
