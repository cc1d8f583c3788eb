import { formOf, isDeeperThan } from '../../../spec/calls/index.ts';
import { describe, expect, it } from 'vitest';

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
    ['{"after":9007199254740993}', true],
    ['[-1152921504606846977]', true],
    ['1152921504606846977', true],
    ['{"after":123456789012345,"b":123456789012345}', false],
    ['{"content":"1152921504606846977"}', false],
  ])('of %s: may it have integers that are inexact as numbers? %s', (text, hasLongNumbers) => {
    expect(formOf(Buffer.from(text), 3)).toMatchObject({ hasLongNumbers });
  });

  it.each([
    ['depth', '['.repeat(4)],
    ['values', `[${'1,'.repeat(600_000)}1]`],
    ['values', `[${'{},'.repeat(300_000)}{}]`],
    ['values', `{${'"a":1,'.repeat(300_000)}"a":1}`],
    ['digits', `[${'1'.repeat(200_001)}]`],
  ])('is beyond its bound in %s', (isBeyond, text) => {
    expect(formOf(Buffer.from(text), 3)).toMatchObject({ isBeyond });
  });

  it.each([`[${'1,'.repeat(490_000)}1]`, `["${',[{'.repeat(600_000)}"]`, `[${'1'.repeat(200_000)}]`])(
    'is within its bounds where it is large, and where only a text is',
    (text) => {
      expect(formOf(Buffer.from(text), 3).isBeyond).toBeUndefined();
    },
  );
});
