import { describe, expect, it } from 'vitest';
import { goTogether, combinationOf, variants } from '../../../selftest/variants/index.ts';

describe('the variants', () => {
  it('use each of the 42 freedoms', () => {
    const used = new Set(variants.flatMap(({ freedom }) => freedom ?? []));
    expect([...used].toSorted((left, right) => left - right)).toEqual(
      Array.from({ length: 42 }, (_, i) => i + 1),
    );
  });

  it('are slugs, each once, and say what leaves them open', () => {
    const ids = variants.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(id))).toEqual([]);
    expect(variants.filter(({ words }) => words === '')).toEqual([]);
  });

  it('exclude variants that exist', () => {
    const ids = new Set(variants.map(({ id }) => id));
    expect(variants.flatMap(({ excludes = [] }) => excludes.filter((id) => !ids.has(id)))).toEqual([]);
  });
});

describe('a combination', () => {
  const seeds = Array.from({ length: 300 }, (_, seed) => seed);

  it('is the same for the same seed, and another one for another', () => {
    const ids = seeds.map((seed) =>
      combinationOf(seed)
        .variants.map(({ id }) => id)
        .join(),
    );
    expect(
      seeds.map((seed) =>
        combinationOf(seed)
          .variants.map(({ id }) => id)
          .join(),
      ),
    ).toEqual(ids);
    expect(new Set(ids).size).toBe(seeds.length);
  });

  it('holds 3 to 8 variants that go together, and over some seeds all of them', () => {
    const combinations = seeds.map((seed) => combinationOf(seed).variants);
    expect(combinations.filter(({ length }) => length < 3 || length > 8)).toEqual([]);
    const clashes = combinations.flatMap((parts) =>
      parts.filter((one) => parts.some((other) => one !== other && !goTogether(one, other))),
    );
    expect(clashes).toEqual([]);
    const combined = new Set(combinations.flat().map(({ id }) => id));
    expect(variants.map(({ id }) => id).filter((id) => !combined.has(id))).toEqual([]);
  });
});
