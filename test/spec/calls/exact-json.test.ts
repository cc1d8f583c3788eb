import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseExact, stringifyExact } from '../../../spec/calls/index.ts';

describe('exact JSON', () => {
  it.each([
    ['9007199254740991', 9007199254740991],
    ['9007199254740993', 9007199254740993n],
    ['-9007199254740993', -9007199254740993n],
    ['[1152921504606846977]', [1152921504606846977n]],
    ['{"a":1152921504606846977,"b":1}', { a: 1152921504606846977n, b: 1 }],
    ['9223372036854775807E0', 9223372036854775807n],
    ['922337203685477580.0e1', 9223372036854775800n],
    ['{"a":"1152921504606846977"}', { a: '1152921504606846977' }],
    ['{"a":1,"a":11529215046068469771}', { a: 11529215046068469771n }],
    ['0.1000000000000000055', 0.1],
  ])('reads %s without loss', (text, value) => {
    expect(parseExact(text)).toEqual(value);
  });

  it('agrees with JSON.parse but for the precision of integers', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        const rounded = JSON.stringify(parseExact(text), (_, inner: unknown) =>
          typeof inner === 'bigint' ? Number(inner) : inner,
        );
        expect(JSON.parse(rounded)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('brings every 64-bit integer there and back', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 2n ** 53n, max: 2n ** 64n }), (value) => {
        expect(parseExact(stringifyExact({ sequence: value }))).toEqual({ sequence: value });
      }),
    );
  });

  it('writes lone surrogates as escapes, so that they survive UTF-8', () => {
    expect(stringifyExact({ content: 'a\ud800' })).toBe(String.raw`{"content":"a\ud800"}`);
  });

  it('refuses what is not JSON', () => {
    expect(() => parseExact('{"a":12345678901234567890')).toThrow(SyntaxError);
  });
});
