import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isUnchecked, clauseRows } from '../../cli/explain/clause-rows.ts';
import { packageFile } from '../../spec/index.ts';

const rows = clauseRows();
const musts = rows.filter(({ clause }) => clause.level === 'must');

describe('the register', () => {
  it('has a check or a reason for every clause', () => {
    expect(rows.filter(isUnchecked).map(({ clause }) => clause.id)).toEqual([]);
  });

  it('has the counts that the README gives', () => {
    const readme = readFileSync(packageFile('README.md'), 'utf8').replaceAll(/\s+/g, ' ');
    const level = (name: string): number => rows.filter(({ clause }) => clause.level === name).length;
    const told = musts.filter(({ clause, checks }) => clause.untestable === undefined && checks.length > 0);
    const untold = musts.filter(({ clause }) => clause.untestable !== undefined);
    expect(readme).toContain(
      `Of ${rows.length} clauses ${musts.length} are stated outright: ${told.length} of them have checks, ` +
        `and ${untold.length} are not testable by a client, each with the reason. ${level('inferred')} are inferred, ` +
        `${level('silent')} left open.`,
    );
  });
});

/** The numbers in the row of a table that begins with this. */
function numbersOf(page: string, row: string): readonly string[] {
  const line = readFileSync(packageFile(`docs/${page}`), 'utf8')
    .split('\n')
    .find((each) => each.startsWith(`| ${row}`));
  return (
    line
      ?.slice(line.indexOf('|', 2))
      .replaceAll(/(\d),(\d)/g, '$1$2')
      .match(/[\d.]+/g) ?? []
  );
}

it.each([
  ['mutants that single requests show', 2],
  ['found within 20,000 cases', 2],
  ['median cases to find one', 1],
])('what a campaign finds is the same in short and at length: %s', (row, count) => {
  const numbers = numbersOf('fuzz-mutants.md', row);
  expect(numbers).toHaveLength(count);
  expect(numbersOf('fuzz.md', row)).toEqual(numbers);
});
