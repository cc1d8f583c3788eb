import { describe, expect, it } from 'vitest';
import { validate } from '../../spec/index.ts';
import { windowsOf } from '../../spec/long-lists.ts';

function listOf(length: number, item: (index: number) => unknown): unknown[] {
  return Array.from({ length }, (_, index) => item(index));
}

describe('the windows of a value', () => {
  it('are the value itself, if its lists are short', () => {
    const value = { mentions: listOf(500, () => ({})), page: null };
    expect([...windowsOf(value)].map((window) => window.value)).toEqual([value]);
  });

  it('have every item of a long list, with its place in the whole', () => {
    const value = { a: { list: listOf(1_234, (index) => index) }, short: [7] };
    const seen = new Map<string, number>();
    for (const { value: part, inWhole } of windowsOf(value)) {
      const { a, short } = part as typeof value;
      expect(short).toEqual([7]);
      expect(a.list.length).toBeLessThanOrEqual(500);
      a.list.forEach((item, index) => seen.set(inWhole(`/a/list/${index}`), item as number));
    }
    expect([...seen]).toHaveLength(1_234);
    for (const [pointer, item] of seen) expect(pointer).toBe(`/a/list/${item}`);
  });

  it('know lists within items of lists', () => {
    const value = listOf(600, () => listOf(700, () => 0));
    const last = [...windowsOf(value)].at(-1);
    expect(last?.inWhole('/499/499/x~1y')).toBe('/599/699/x~1y');
  });
});

describe('validation', () => {
  const page = { next_after: 0, has_more: false, high_watermark: 0 };
  const pathsIn = (mentions: unknown[]): readonly string[] =>
    validate('mentions-response', { mentions, page }).map(({ instancePath }) => instancePath);

  it('says where in a long list an item is broken', () => {
    const places = listOf(501, (index) => `/mentions/${index}`);
    expect(new Set(pathsIn(listOf(501, () => null)))).toEqual(new Set(places));
  });

  it('takes no minutes for 100,000 broken items', () => {
    const startedMs = performance.now();
    expect(pathsIn(listOf(100_000, () => ({}))).length).toBeGreaterThan(500);
    expect(performance.now() - startedMs).toBeLessThan(5_000);
  });
});
