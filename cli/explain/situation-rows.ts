import { type ClauseTally, declaredPairs, tallyOf } from '../../history/situations/tally.ts';
import { accessSituations } from '../../suites/arrange/auth/access-matrix.ts';
import { readHistory } from '../judge/read-history.ts';

/** Situations that are named of those that never arose. */
const mostMissingNamed = 3;

/**
 * What `conform clauses --situations` prints: each clause about reading, along what it could be broken, and how much of it
 * arose; without a history, which holds no credentials, also each clause about access.
 */
export function listSituations(file: string | undefined): string {
  const rows = file === undefined ? declaredPairs() : tallyOf(readHistory(file));
  const lines = rows.flatMap((row) => textOf(row, file !== undefined));
  const all = rows.reduce((sum, { pairs }) => sum + pairs, 0);
  const seen = rows.reduce((sum, each) => sum + each.seen, 0);
  const end = file === undefined ? `${all} pairs of values` : `${seen} of ${all} pairs of values arose`;
  const sum = ['', `${rows.length} clauses, ${end}`];
  return `${[...lines, ...sum, ...(file === undefined ? accessLines() : [])].join('\n')}\n`;
}

function accessLines(): string[] {
  const situations = accessSituations();
  const lines = situations.flatMap(({ clause, dimensions, cells }) => [
    `${clause}  ${cells} cells`,
    ...Object.entries(dimensions).map(([name, values]) => `    ${name}: ${values.join(', ')}`),
  ]);
  const all = situations.reduce((sum, { cells }) => sum + cells, 0);
  return ['', ...lines, '', `${situations.length} clauses, ${all} cells, each of which a full run judges`];
}

function textOf({ clause, along, pairs, seen, missing }: ClauseTally, isCounted: boolean): string[] {
  const head = isCounted ? `${clause}  ${seen} of ${pairs} pairs` : `${clause}  ${pairs} pairs`;
  if (!isCounted || missing.length === 0) return [head, `    along ${along.join(', ')}`];
  const others = missing.length > mostMissingNamed ? `; and ${missing.length - mostMissingNamed} more` : '';
  return [
    head,
    `    along ${along.join(', ')}`,
    `    never: ${missing.slice(0, mostMissingNamed).join('; ')}${others}`,
  ];
}
