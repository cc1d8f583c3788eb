import { describe, expect, it } from 'vitest';
import { formOf, maxJsonDepth } from '../../../calls/index.ts';
import { KnownBodies, KnownTexts } from '../../../harness/client/known-bodies.ts';

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

const body = (letter: string): Buffer => Buffer.from(JSON.stringify({ content: letter.repeat(2_000) }));

/** As an answer is read: a body that is not known is looked through first. */
function read(bodies: KnownBodies, bytes: Uint8Array): unknown {
  return (bodies.known(bytes) ?? bodies.read(bytes, formOf(bytes, maxJsonDepth))).json;
}

describe('bodies that come again', () => {
  it('are read once', () => {
    const bodies = new KnownBodies();
    expect(read(bodies, body('a'))).toBe(read(bodies, body('a')));
  });

  it('are told from others of the same length', () => {
    const bodies = new KnownBodies();
    for (const letter of ['a', 'b', 'a'])
      expect(read(bodies, body(letter))).toEqual({ content: letter.repeat(2_000) });
  });

  it('keep integers beyond 2^53, and are undefined where they are no JSON', () => {
    const bodies = new KnownBodies();
    const padding = ' '.repeat(1_000);
    expect(read(bodies, Buffer.from(`${padding}[9007199254740993]`))).toEqual([9007199254740993n]);
    expect(read(bodies, Buffer.from(`${padding}{`))).toBeUndefined();
  });
});
