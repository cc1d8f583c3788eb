import { describe, expect, it } from 'vitest';
import { jsonDifference } from '../../../harness/check/json-difference.ts';

describe('the difference of two values', () => {
  it.each([
    ['none, of values that are the same', { a: [1, { b: null }] }, { a: [1, { b: null }] }, undefined],
    ['none, of keys in another order', { a: 1, b: 2 }, { b: 2, a: 1 }, undefined],
    ['its path and both values', { a: [1, { b: 'x' }] }, { a: [1, { b: 'y' }] }, ['it.a[1].b "x"', '"y"']],
    ['what one lacks', { a: 1 }, {}, ['it.a 1', 'undefined']],
    ['what one has beside', {}, { a: 1 }, ['it.a undefined', '1']],
    ['an element that a list lacks', [[1], [2]], [[1]], ['it[1] [2], one of 2', 'nothing there: 1 in all']],
    ['an element too many', [[1]], [[1], [2]], ['it with 1 in all', '2, with [2] at [1]']],
    [
      'a name that is missing',
      ['a', 'b', 'c'],
      ['a', 'c'],
      ['it with "b", 3 in all', '2 in all, without "b"'],
    ],
    [
      'names instead of others',
      ['a', 'b'],
      ['c', 'd'],
      ['it with "a" and 1 more, 2 in all', '2 in all, without "a" and 1 more, with "c" and 1 more beside'],
    ],
    ['the order of names', ['a', 'b'], ['b', 'a'], ['it[0] "a"', '"b"']],
    ['another kind', { a: [] }, { a: {} }, ['it.a []', '{}']],
    ['big integers', [1n], [2n], ['it[0] "1n"', '"2n"']],
  ])('is %s', (_name, expected, actual, problem) => {
    const found = jsonDifference('it', expected, actual);
    expect(found && [found.expected, found.actual]).toEqual(problem);
  });

  it('shows of long texts what is around the place where they part', () => {
    const [one, other] = [`${'a'.repeat(300)}b`, `${'a'.repeat(300)}c`];
    const found = jsonDifference('it', { text: one }, { text: other });
    expect(found?.expected).toContain('it.text: U+0062 at UTF-16 position 300');
    expect(found?.actual).toContain('⟦c⟧');
    expect(`${found?.expected}${found?.actual}`.length).toBeLessThan(300);
  });

  it('shows of texts that look the same by which characters they part', () => {
    const found = jsonDifference('it', { text: 'caf\u00e9' }, { text: 'cafe\u0301' });
    expect(found?.expected).toContain('it.text: U+00E9 at UTF-16 position 3 of 4 units (5 bytes)');
    expect(found?.actual).toContain('U+0065 there, and 5 units (6 bytes)');
  });
});
