import { declaredPairs, tallyOf } from '../../history/situations/tally.ts';
import type { ClauseTally } from '../../history/situations/tally.ts';
import { readHistory } from '../shared/read-history.ts';

/** Situations that are named of those that never arose. */
const mostNamed = 3;

/** What `conform clauses --situations` prints: each clause about reading, along what it could be broken, and how much of it arose. */
export async function listSituations(file: string | undefined): Promise<string> {
  const rows = file === undefined ? declaredPairs() : tallyOf(await readHistory(file));
  const lines = rows.flatMap((row) => textOf(row, file !== undefined));
  const all = rows.reduce((sum, { pairs }) => sum + pairs, 0);
  const seen = rows.reduce((sum, each) => sum + each.seen, 0);
  const end = file === undefined ? `${all} pairs of values` : `${seen} of ${all} pairs of values arose`;
  return `${[...lines, '', `${rows.length} clauses, ${end}`].join('\n')}\n`;
}

function textOf({ clause, along, pairs, seen, missing }: ClauseTally, isCounted: boolean): string[] {
  const head = isCounted ? `${clause}  ${seen} of ${pairs} pairs` : `${clause}  ${pairs} pairs`;
  if (!isCounted || missing.length === 0) return [head, `    along ${along.join(', ')}`];
  const others = missing.length > mostNamed ? `; and ${missing.length - mostNamed} more` : '';
  return [
    head,
    `    along ${along.join(', ')}`,
    `    never: ${missing.slice(0, mostNamed).join('; ')}${others}`,
  ];
}
