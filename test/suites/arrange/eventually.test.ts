import { describe, expect, it } from 'vitest';
import { wallClock } from '../../../harness/client/pacing/clock.ts';
import { asLongAsThereIsHope, eventually } from '../../../suites/arrange/eventually.ts';

/** Looks taken, and for how long in all on a clock of pauses, until `enoughAfter` looks were enough. */
async function looksUntil(
  settleMs: number,
  enoughAfter: number,
  isInVain = false,
): Promise<{ looks: number; pausedMs: number }> {
  let [looks, pausedMs] = [0, 0];
  const pause = (durationMs: number): Promise<void> => Promise.resolve(void (pausedMs += durationMs));
  await eventually(
    {
      settleMs,
      clock: {
        ...wallClock,
        now: () => pausedMs,
        pause,
        hope: { ...wallClock.hope, isInVain: () => isInVain },
      },
    },
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

describe('looking as long as there is hope', () => {
  /** Time slept beside the looks by each of two who see nothing, one after the other, where all of the run saw so little. */
  async function sleptByTwo(isInVain: boolean, comes = Number.POSITIVE_INFINITY): Promise<readonly number[]> {
    let [nowMs, hasGivenUp] = [0, false];
    const hope = {
      isInVain: () => isInVain,
      isGone: () => isInVain && hasGivenUp,
      giveUp: () => void (hasGivenUp = true),
    };
    const pause = (durationMs: number): Promise<void> => Promise.resolve(void (nowMs += durationMs));
    const slept: number[] = [];
    for (const sinceMs of [0, 0]) {
      slept.push(sinceMs);
      const sleep = async (durationMs: number): Promise<void> => {
        slept.push((slept.pop() ?? 0) + durationMs);
        await pause(durationMs);
      };
      const clock = { ...wallClock, now: () => nowMs, pause, hope };
      const isThere = (value: boolean): boolean => value;
      await asLongAsThereIsHope({ settleMs: 100, clock, sleep }, async () => nowMs >= comes, {
        isEnough: isThere,
        isNothing: (value) => !value,
      });
    }
    return slept;
  }

  it('waits for ten seconds, and but once where the whole run has seen nothing', async () => {
    const [first = 0, second = 0] = await sleptByTwo(true);
    expect(first).toBeGreaterThan(9_000);
    expect(second).toBe(500);
  });

  it('waits for ten seconds each time where the run has seen something', async () => {
    for (const sleptMs of await sleptByTwo(false)) expect(sleptMs).toBeGreaterThan(9_000);
  });

  it('does not take for gone what came at last', async () => {
    const [first = 0, second = 0] = await sleptByTwo(true, 9_500);
    expect(first).toBeGreaterThan(9_000);
    expect(second).toBe(0);
  });
});
