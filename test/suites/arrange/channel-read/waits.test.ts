import { expect, it } from 'vitest';
import { wallClock } from '../../../../harness/client/pacing/clock.ts';
import type { Exchange } from '../../../../harness/client/exchange.ts';
import { CheckStopped } from '../../../../harness/verdict/outcome.ts';
import { readChannel } from '../../../../spec/calls/index.ts';
import { promptMs, soon, type Wait } from '../../../../suites/arrange/channel-read/waits.ts';
import { exchangeOf } from '../../../fixtures/exchange.ts';

const answered = (status: number): Exchange => exchangeOf(readChannel('c'), { status });

/** What comes of a read that goes on waiting, on a clock of pauses, where a plain one is answered with `status` after `plainMs`. */
async function waited(status: number, plainMs: number): Promise<unknown> {
  let nowMs = 0;
  const pass = (durationMs: number): Promise<void> => Promise.resolve(void (nowMs += durationMs));
  const clock = { ...wallClock, now: () => nowMs, elapse: pass, pause: pass };
  const wait = {
    answer: new Promise(() => {}),
    plain: () => pass(plainMs).then(() => answered(status)),
  } as unknown as Wait;
  try {
    return await soon({ clock, sleep: pass, settleMs: 20, roundTripMs: 1 }, wait);
  } catch (error) {
    return error instanceof CheckStopped ? error.stop.kind : error;
  }
}

it.each([
  ['is told by plain reads that come back before it', 200, 10, undefined],
  ['is not told by plain reads that take seconds', 200, 4_000, 'unmet'],
  ['is not told by plain reads that are refused', 503, 10, 'unmet'],
])('a read that goes on waiting %s', async (_, status, plainMs, outcome) => {
  expect(await waited(status, plainMs)).toBe(outcome);
});

it('is given half of the wait at most, however long settling and round trips take', () => {
  expect(promptMs({ settleMs: 400, roundTripMs: 5 })).toBe(1_900);
  expect(promptMs({ settleMs: 20_000, roundTripMs: 600 })).toBe(12_500);
});
