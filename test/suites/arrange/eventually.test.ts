import { describe, expect, it } from 'vitest';
import { wallClock } from '../../../harness/client/pacing/clock.ts';
import { eventually } from '../../../suites/arrange/eventually.ts';

/** Looks taken, and for how long in all on a clock of pauses, until `enoughAfter` looks were enough. */
async function looksUntil(
  settleMs: number,
  enoughAfter: number,
  isInVain = false,
): Promise<{ looks: number; pausedMs: number }> {
  let [looks, pausedMs] = [0, 0];
  const pause = (durationMs: number): Promise<void> => Promise.resolve(void (pausedMs += durationMs));
  await eventually(
    { settleMs, clock: { ...wallClock, now: () => pausedMs, pause, isInVain: () => isInVain } },
    async () => (looks += 1),
    (value) => value >= enoughAfter,
  );
  return { looks, pausedMs };
}

describe('looking until it is enough', () => {
  it('ends with the first look that is', async () => {
    expect(await looksUntil(1, 1)).toEqual({ looks: 1, pausedMs: 0 });
    expect((await looksUntil(1, 3)).looks).toBe(3);
  });

  it('ends after eight looks, however soon the time is up', async () => {
    expect((await looksUntil(1, Number.POSITIVE_INFINITY)).looks).toBe(8);
  });

  it('ends after five settle times, however many looks that takes', async () => {
    const { looks, pausedMs } = await looksUntil(200, Number.POSITIVE_INFINITY);
    expect(looks).toBeGreaterThan(8);
    expect(pausedMs).toBeGreaterThan(1_000);
    expect(pausedMs).toBeLessThan(1_300);
  });

  it('ends after one settle time where nothing has ever come, and not before', async () => {
    const { pausedMs } = await looksUntil(900, Number.POSITIVE_INFINITY, true);
    expect(pausedMs).toBeGreaterThan(900);
    expect(pausedMs).toBeLessThan(1_200);
  });
});
