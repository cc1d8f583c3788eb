import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Watchdog } from '../../../../harness/client/pacing/clock.ts';

describe('a watchdog', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('ends what outlives its limit and leaves alone what was released or has time, and nothing once it was stopped', async () => {
    const watchdog = new Watchdog();
    const [late, done, patient] = [new AbortController(), new AbortController(), new AbortController()];
    watchdog.watch(late, 10);
    watchdog.watch(done, 10);
    watchdog.watch(patient, 60_000);
    watchdog.release(done);
    await vi.advanceTimersByTimeAsync(700);
    expect([late, done, patient].map(({ signal }) => signal.aborted)).toEqual([true, false, false]);
    expect(late.signal.reason).toMatchObject({ name: 'TimeoutError' });
    watchdog.stop();
    await vi.advanceTimersByTimeAsync(100_000);
    expect(patient.signal.aborted).toBe(false);
  });
});
