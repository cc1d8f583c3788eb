import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyUnit } from '../../../generators/space/units.ts';

describe('any unit', () => {
  it('is one code point, and no surrogate', () => {
    fc.assert(
      fc.property(anyUnit, (unit) => {
        expect(unit).toMatch(/^\P{Surrogate}$/su);
      }),
    );
  });

  it.each([
    ['the first and the last', ['\0', '\u{10ffff}']],
    ['those beside the surrogates', ['\ud7ff', '\ue000']],
    ['a letter and an emoji', ['a', '\u{1f600}']],
  ])('may be %s', (_, units) => {
    for (const unit of units) expect(anyUnit.canShrinkWithoutContext(unit)).toBe(true);
  });

  it.each(['', 'ab', '\ud800', '\udfff', 7])('is never %j', (value) => {
    expect(anyUnit.canShrinkWithoutContext(value)).toBe(false);
  });

  it('makes the texts that programs trip over, as fast-check has them', () => {
    const texts = fc.sample(fc.string({ unit: anyUnit, maxLength: 12 }), { numRuns: 5_000, seed: 1 });
    // Five letters in a row are no chance.
    expect(texts.filter((text) => /[a-z_]{5}/.test(text)).length).toBeGreaterThan(20);
  });
});
