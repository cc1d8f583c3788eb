import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentSpace } from '../../../generators/spaces/content/content-space.ts';
import { type Text, countsOf, normalText, resized, runsOf, textOf } from '../../../generators/texts/text.ts';

const units = ['a', '\0', '\u0001', 'é', '€', '😀', '\ud83d', '\ude00', '\ud800', '\udfff', '\ufeff', '"'];

const anyRuns: fc.Arbitrary<Text> = fc.array(
  fc.record(
    { unit: fc.constantFrom(...units), count: fc.integer({ min: 1, max: 4 }) },
    { noNullPrototype: true },
  ),
  { maxLength: 8 },
);

/** Counted on the text written out. */
function countedOut(text: string): ReturnType<typeof countsOf> {
  return {
    sizeBytes: Buffer.byteLength(text),
    loneSurrogates: (text.match(/\p{Surrogate}/gu) ?? []).length,
    nuls: text.split('\0').length - 1,
  };
}

describe('the facts of a text', () => {
  it('are those of the text written out, wherever halves of pairs meet', () => {
    fc.assert(
      fc.property(anyRuns, (text) => {
        expect(countsOf(text)).toEqual(countedOut(textOf(text)));
      }),
      { numRuns: 2000, seed: 1 },
    );
  });

  it('are right for every content that has a name, the largest ones too', () => {
    for (const { value } of contentSpace.boundaries)
      expect(countsOf(value)).toEqual(countedOut(textOf(value)));
  });

  it('do not change when runs are put together', () => {
    fc.assert(
      fc.property(anyRuns, (text) => {
        expect(textOf(normalText(text))).toBe(textOf(text));
        expect(normalText(text).length).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 500, seed: 2 },
    );
  });
});

describe('a text in runs', () => {
  it('comes of a string and goes back to it', () => {
    fc.assert(
      fc.property(anyRuns, (text) => {
        expect(textOf(runsOf(textOf(text)))).toBe(textOf(text));
      }),
      { numRuns: 500, seed: 3 },
    );
  });

  it('has the size that it is given, cut inside no character', () => {
    const wellFormed = anyRuns.filter(
      (text) => countsOf(text).loneSurrogates === 0 && !/[\ud800-\udfff]$/.test(textOf(text)),
    );
    fc.assert(
      fc.property(wellFormed, fc.nat({ max: 60 }), (text, sizeBytes) => {
        const whole = resized(runsOf(textOf(text)), sizeBytes);
        expect(countsOf(whole)).toMatchObject({ sizeBytes, loneSurrogates: 0 });
      }),
      { numRuns: 500, seed: 4 },
    );
  });
});
