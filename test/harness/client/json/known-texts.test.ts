import { describe, expect, it } from 'vitest';
import { KnownTexts } from '../../../../harness/client/json/known-texts.ts';

const page = (...texts: readonly string[]): unknown => ({ messages: texts.map((content) => ({ content })) });
const long = (letter: string, middle = letter): string =>
  letter.repeat(10_000) + middle + letter.repeat(10_000);

describe('long texts that come again', () => {
  it('are counted once, however many values hold them', () => {
    const texts = new KnownTexts();
    const [first, second] = [page(long('a'), long('b')), page(long('b'), long('a'))];
    expect(texts.share(first)).toBe(40_002);
    expect(texts.share(second)).toBe(0);
    expect(second).toEqual(page(long('b'), long('a')));
  });

  it('are told from texts with the same ends and the same length', () => {
    const texts = new KnownTexts();
    const other = page(long('a', 'b'));
    texts.share(page(long('a')));
    expect(texts.share(other)).toBe(20_001);
    expect(other).toEqual(page(long('a', 'b')));
  });

  it('are no short ones: those count in each value', () => {
    const texts = new KnownTexts();
    expect([
      texts.share(page('short')),
      texts.share(page('short')),
      texts.share(7),
      texts.share(null),
    ]).toEqual([5, 5, 0, 0]);
  });

  it('are counted again once they were let go', () => {
    const texts = new KnownTexts();
    texts.share(page(long('a')));
    texts.clear();
    expect(texts.share(page(long('a')))).toBe(20_001);
  });
});
