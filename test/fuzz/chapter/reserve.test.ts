import { expect, it } from 'vitest';
import { reservedMs } from '../../../fuzz/chapter/reserve.ts';

const spent = { timeMs: 15_000, closingMs: 1_000, isTurning: false, findings: 0 };

it.each([
  ['a share of the time', {}, 1_800],
  ['half of it before a chapter was judged', { closingMs: undefined }, 7_500],
  ['a larger share once something was found', { findings: 1 }, 3_000],
  ['the last chapter, where that takes longer', { closingMs: 1_800 }, 2_700],
  [
    'the last look as well as the last chapter, where something was found',
    { closingMs: 1_800, findings: 1 },
    4_200,
  ],
  ['the chapter that is being looked at, too', { closingMs: 1_800, findings: 1, isTurning: true }, 6_900],
  ['no more than half of it', { closingMs: 9_000, findings: 1, isTurning: true }, 7_500],
])('the end of a campaign is kept %s', (_what, change, expected) => {
  expect(reservedMs({ ...spent, ...change })).toBe(expected);
});
