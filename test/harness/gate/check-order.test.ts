import { describe, expect, it } from 'vitest';
import { anyOrder, inDrawnOrder } from '../../../harness/gate/check-order.ts';
import { allChecks } from '../../../suites/index.ts';

const idsBy = (seed: number, checks = allChecks): string[] =>
  inDrawnOrder(checks, { seed }).map(({ id }) => id);

describe('a drawn order of checks', () => {
  it('has every check once, and is the same for the same seed', () => {
    expect(idsBy(7).toSorted()).toEqual(allChecks.map(({ id }) => id).toSorted());
    expect(idsBy(7)).toEqual(idsBy(7, allChecks.toReversed()));
  });

  it('is another one for another seed', () => {
    expect(idsBy(8)).not.toEqual(idsBy(7));
  });

  it('is kept by some of the checks as by all', () => {
    const some = allChecks.filter((_, index) => index % 5 === 0);
    const named = new Set(some.map(({ id }) => id));
    expect(idsBy(7, some)).toEqual(idsBy(7).filter((id) => named.has(id)));
  });

  it('draws a seed that can be typed', () => {
    expect(String(anyOrder().seed)).toMatch(/^\d{1,9}$/);
  });
});
