import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ScarceTime } from '../../cli/proxy/scarce-time.ts';
import { UnjudgedNotices } from '../../cli/proxy/unjudged-notices.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Seconds of traffic, each with so many exchanges and with the loop busy for such a share of it; how many of the last one were to be judged. */
function judgedOf(seconds: readonly (readonly [exchanges: number, busyShare: number])[]): number {
  let share = 0;
  const time = new ScarceTime(() => share);
  let judged = 0;
  for (const [exchanges, busyShare] of seconds) {
    judged = Array.from({ length: exchanges }, () => time.hasTimeForNext()).filter(Boolean).length;
    share = busyShare;
    vi.advanceTimersByTime(1_000);
  }
  time.end();
  return judged;
}

const [busy, idle] = [
  [5_000, 1],
  [5_000, 0.5],
] as const;

it.each([
  ['there is at first, whatever comes', [busy, busy, busy], 5_000],
  [
    'there is for a chapter in eight once three seconds in a row were busy',
    [busy, busy, busy, [64_000, 0.91]],
    8_000,
  ],
  ['there is for all again after a second with pauses', [busy, busy, busy, [64_000, 1], idle, busy], 5_000],
  [
    'there is no more than that while judging would not fit into the pauses',
    [busy, busy, busy, [64_000, 0.8], [32_000, 0.8]],
    4_000,
  ],
  ['there is where a busy second was none of three in a row', [busy, busy, idle, busy, busy], 5_000],
  ['there is where little comes and the loop waits for others', [[900, 1], [900, 1], [900, 1], busy], 5_000],
] as const)('time to judge what passes %s', (_, seconds, expected) => {
  expect(judgedOf(seconds)).toBe(expected);
});

it('notices of what went through unjudged come at once, then once a minute for each reason, and at the end', () => {
  const said: string[] = [];
  const notices = new UnjudgedNotices((text) => said.push(text));
  const toldOf = (act: () => void): readonly string[] => {
    act();
    return said.splice(0);
  };
  expect(toldOf(() => notices.add(1, 'one'))).toEqual(['1 exchange went through unjudged: one']);
  expect(toldOf(() => [2, 3].forEach((count) => notices.add(count, 'one')))).toEqual([]);
  expect(toldOf(() => notices.add(4, 'two'))).toEqual(['4 exchanges went through unjudged: two']);
  expect(toldOf(() => vi.advanceTimersByTime(60_000))).toEqual(['5 exchanges went through unjudged: one']);
  expect(toldOf(() => vi.advanceTimersByTime(60_000))).toEqual([]);
  expect(toldOf(() => notices.add(6, 'one'))).toEqual(['6 exchanges went through unjudged: one']);
  expect(toldOf(() => notices.add(7, 'one'))).toEqual([]);
  expect(toldOf(() => notices.end())).toEqual(['7 exchanges went through unjudged: one']);
  expect(toldOf(() => vi.advanceTimersByTime(120_000))).toEqual([]);
});
