import { describe, expect, it } from 'vitest';
import { closestWord } from '../../../../harness/config/reading/closest-word.ts';

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

  it.each(['roole', 'rle', 'rule', 'rloe', 'RLOE'])('takes one letter or one swap for a slip: %s', (word) => {
    expect(closestWord(word, ['role'])).toBe('role');
  });

  it.each(['rloes', 'orel', 'rlo', 'ruly', 'roolx'])(
    'takes two of them in four letters for none: %s',
    (word) => {
      expect(closestWord(word, ['role'])).toBeUndefined();
    },
  );

  it('finds nothing where more than a third of the letters differ', () => {
    expect(closestWord('colour', ['channel', 'hooks', 'roles'])).toBeUndefined();
    expect(closestWord('x', ['ca', 'cert', 'key'])).toBeUndefined();
    expect(closestWord('', ['ca'])).toBeUndefined();
  });

  it('takes the closest of several', () => {
    expect(closestWord('readr', ['header', 'reader'])).toBe('reader');
  });
});
