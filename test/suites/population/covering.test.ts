import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { combinationsOf, coveringRows, type Row, type Space } from '../../../suites/population/covering.ts';

type Anyhow = Partial<Row<Space>>;

/** Two to five dimensions of one to four values each. */
const spaces = fc
  .array(fc.integer({ min: 1, max: 4 }), { minLength: 2, maxLength: 5 })
  .map((sizes): Space =>
    Object.fromEntries(
      sizes.map((size, index) => [`d${index}`, Array.from({ length: size }, (_, value) => `v${value}`)]),
    ),
  );

/** Some pairs of values that cannot stand together. */
const forbidden = fc.array(fc.tuple(fc.nat(4), fc.nat(3), fc.nat(4), fc.nat(3)), { maxLength: 6 });

function holds(row: Anyhow, part: Anyhow): boolean {
  return Object.entries(part).every(([name, value]) => row[name] === value);
}

function allowing(pairs: readonly (readonly [number, number, number, number])[]): (row: Anyhow) => boolean {
  return (row) =>
    !pairs.some(([a, x, b, y]) => a !== b && row[`d${a}`] === `v${x}` && row[`d${b}`] === `v${y}`);
}

describe('rows that cover', () => {
  it('hold every pair that some allowed row holds, and nothing that is not allowed', () => {
    fc.assert(
      fc.property(spaces, forbidden, (space, pairs) => {
        const isAllowed = allowing(pairs);
        const names = Object.keys(space);
        const possible = combinationsOf(space, names).filter(isAllowed);
        const rows = coveringRows(space, { isAllowed });
        expect(rows.filter((row) => !isAllowed(row))).toEqual([]);
        for (const [index, one] of names.entries()) {
          for (const other of names.slice(index + 1)) {
            const reachable = combinationsOf(space, [one, other]).filter((pair) =>
              possible.some((row) => holds(row, pair)),
            );
            expect(reachable.filter((pair) => !rows.some((row) => holds(row, pair)))).toEqual([]);
          }
        }
      }),
      { numRuns: 200 },
    );
  });

  it('are hardly more than the two largest dimensions need', () => {
    const space = { a: ['1', '2', '3', '4'], b: ['1', '2', '3', '4'], c: ['1', '2', '3'], d: ['1', '2'] };
    expect(coveringRows(space).length).toBeLessThanOrEqual(18);
  });

  it('are few where only the pairs with one dimension are wanted', () => {
    const space = { a: ['1', '2'], b: ['1', '2', '3', '4'], c: ['1', '2', '3', '4'] };
    expect(coveringRows(space, { isWanted: (one) => one === 'a' })).toHaveLength(8);
  });

  it('take the plainest value where it makes no difference', () => {
    const rows = coveringRows({ a: ['plain', 'b', 'c'], d: ['plain', 'e', 'f'], g: ['plain'] });
    const plain = (name: 'a' | 'd'): number => rows.filter((row) => row[name] === 'plain').length;
    expect(plain('a')).toBeGreaterThanOrEqual(rows.length / 3);
    expect(plain('d')).toBeGreaterThanOrEqual(rows.length / 3);
  });
});
