import { describe, expect, it } from 'vitest';
import { countOf, formatBytes, formatDuration } from '../../reporters/quantities.ts';

describe('quantities', () => {
  it.each([
    [0, '0 bytes'],
    [1, '1 byte'],
    [999, '999 bytes'],
    [1000, '1.0 kB'],
    [999_949, '999.9 kB'],
    [999_950, '1.0 MB'],
    [5_000_000, '5.0 MB'],
    [2_500_000_000_000_000, '2500.0 TB'],
  ])('%i bytes are %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });

  it.each([
    [0, '0 ms'],
    [3.42, '3.4 ms'],
    [61.3, '61 ms'],
    [999.9, '1000 ms'],
    [1843, '1.8 s'],
    [59_949, '59.9 s'],
    [59_951, '1 min 0 s'],
    [192_000, '3 min 12 s'],
    [7_500_000, '2 h 5 min'],
  ])('%d ms are %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });

  it('has a plural for all but one', () => {
    expect([0, 1, 2, 12_345].map((count) => countOf(count, 'clause'))).toEqual([
      '0 clauses',
      '1 clause',
      '2 clauses',
      '12,345 clauses',
    ]);
  });
});
