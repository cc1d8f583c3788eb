import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formOf, maxJsonDepth } from '../../../spec/calls/index.ts';
import { KnownBodies } from '../../../harness/client/known-bodies.ts';

const page = (...texts: readonly string[]): unknown => ({ messages: texts.map((content) => ({ content })) });
const long = (letter: string, middle = letter): string =>
  letter.repeat(10_000) + middle + letter.repeat(10_000);

/** As an answer is read: a body that is not known is looked through first. */
const readFresh = (bodies: KnownBodies, bytes: Uint8Array) => bodies.read(bytes, formOf(bytes, maxJsonDepth));
const read = (bodies: KnownBodies, bytes: Uint8Array): unknown =>
  (bodies.known(bytes) ?? readFresh(bodies, bytes)).json;
const asBytes = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

describe('long texts that come again', () => {
  const unitsOf = (bodies: KnownBodies, value: unknown): number => readFresh(bodies, asBytes(value)).ownUnits;
  // A stand-in is shorter than this.
  const few = 500;

  it('are counted once, however many bodies hold them', () => {
    const bodies = new KnownBodies();
    const [first, second] = [page(long('a'), long('b')), page(long('b'), long('a'))];
    expect(unitsOf(bodies, first)).toBeGreaterThan(40_002);
    expect(unitsOf(bodies, second)).toBeLessThan(few);
    expect(read(bodies, asBytes(second))).toEqual(second);
  });

  it('are told from texts with the same ends and the same length', () => {
    const bodies = new KnownBodies();
    const other = page(long('a', 'b'));
    unitsOf(bodies, page(long('a')));
    expect(unitsOf(bodies, other)).toBeGreaterThan(20_001);
    expect(read(bodies, asBytes(other))).toEqual(other);
  });

  it('are no short ones: those count in each body', () => {
    const bodies = new KnownBodies();
    const short = page('short'.repeat(1_000));
    for (const _ of [1, 2]) expect(unitsOf(bodies, short)).toBeGreaterThan(5_000);
  });

  it('are counted again once they were let go', () => {
    const bodies = new KnownBodies();
    unitsOf(bodies, page(long('a')));
    bodies.clear();
    expect(unitsOf(bodies, page(long('a')))).toBeGreaterThan(20_001);
  });

  const anyText = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc.constantFrom('"', '\\', '\ud800', '\u0000', ':', '\ufeff', '": ', '{"a":1}'),
  );
  const anyLong = fc.tuple(anyText, anyText).map(([one, other]) => one + long('x', other) + one);
  const { value: anyValue } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      anyLong,
      anyText,
      fc.integer(),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(fc.oneof(anyText, anyLong, fc.constant('__proto__')), tie('value'), { maxKeys: 4 }),
    ),
  }));

  it.each([0, 2])('are read as JSON.parse reads them, wherever they stand, with %i spaces', (spaces) => {
    const bodies = new KnownBodies();
    fc.assert(
      fc.property(anyValue, (value) => {
        const text = JSON.stringify(value, null, spaces);
        expect(read(bodies, Buffer.from(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  it.each([
    ['a line end in it', `["${long('a', '\n')}"]`],
    ['an escape that is none', String.raw`["${long('a', String.raw`\x`)}"]`],
    ['no end', `["${long('a')}`],
    ['no comma before it', `[1 "${long('a')}"]`],
    ['two of them side by side', `["${long('a')}" "${long('b')}"]`],
    ['a quote too few before it', `[",${long('a')}"]"`],
  ])('make no JSON of a body that is none: %s', (_, text) => {
    const bodies = new KnownBodies();
    read(bodies, asBytes(page(long('a'), long('b'))));
    expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
    expect(read(bodies, Buffer.from(text))).toBeUndefined();
  });
});

const body = (letter: string): Buffer => Buffer.from(JSON.stringify({ content: letter.repeat(2_000) }));

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
