import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { closestWord, editDistance } from '../../../../harness/config/reading/closest-word.ts';

describe('closestWord', () => {
  it.each([
    ['chanel', 'channel'],
    ['baseUrl', 'base_url'],
    ['BASE_URL', 'base_url'],
    ['hcannel', 'channel'],
    ['channels', 'channel'],
  ])('finds what %s is a slip of', (word, meant) => {
    expect(closestWord(word, ['workspace', 'base_url', 'channel'])).toBe(meant);
  });

  it('finds nothing where more than a third of the letters differ', () => {
    expect(closestWord('colour', ['channel', 'hooks', 'roles'])).toBeUndefined();
    expect(closestWord('x', ['ca', 'cert', 'key'])).toBeUndefined();
    expect(closestWord('', ['ca'])).toBeUndefined();
  });

  it('takes the closest of several', () => {
    expect(closestWord('readr', ['header', 'reader'])).toBe('reader');
  });
});

describe('editDistance', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 });

  it('counts a swap of neighbours as one', () => {
    expect(editDistance('abcd', 'abdc')).toBe(1);
    expect(editDistance('kitten', 'sitting')).toBe(3);
  });

  it('is zero for equal words alone, the same both ways, and at most the longer length', () => {
    fc.assert(
      fc.property(word, word, (a, b) => {
        const distance = editDistance(a, b);
        expect(distance === 0).toBe(a === b);
        expect(distance).toBe(editDistance(b, a));
        expect(distance).toBeLessThanOrEqual(Math.max(a.length, b.length));
        expect(distance).toBeGreaterThanOrEqual(Math.abs(a.length - b.length));
      }),
    );
  });
});
