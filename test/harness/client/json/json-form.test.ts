import { describe, expect, it } from 'vitest';
import { formOf, isDeeperThan } from '../../../../harness/client/json/json-form.ts';

const nested = (levels: number): Uint8Array => Buffer.from('['.repeat(levels) + ']'.repeat(levels));

describe('the depth of JSON text', () => {
  it.each([
    [2, false],
    [3, false],
    [4, true],
  ])('of %i levels against a limit of 3 is %s', (levels, isDeeper) => {
    expect(isDeeperThan(3, nested(levels))).toBe(isDeeper);
  });

  it('does not count brackets inside strings, escaped quotes included', () => {
    expect(isDeeperThan(1, Buffer.from(String.raw`["[[[[\"[[[\\"]`))).toBe(false);
    expect(isDeeperThan(1, Buffer.from(String.raw`["\\",[]]`))).toBe(true);
  });

  it('goes up and down again', () => {
    expect(isDeeperThan(2, Buffer.from('[{},{},[],[]]'))).toBe(false);
  });
});

describe('the form of JSON text', () => {
  it.each([
    ['{"after":9007199254740993}', 'long-numbers'],
    ['[-1152921504606846977]', 'long-numbers'],
    ['1152921504606846977', 'long-numbers'],
    ['{"after":123456789012345,"b":123456789012345}', 'plain'],
    ['{"content":"1152921504606846977"}', 'plain'],
  ])('of %s is %s', (text, form) => {
    expect(formOf(Buffer.from(text), 3)).toBe(form);
  });
});
