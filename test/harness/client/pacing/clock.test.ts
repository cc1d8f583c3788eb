import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Watchdog } from '../../../../harness/client/pacing/clock.ts';

describe('a watchdog', () => {
  it('ends what outlives its limit and leaves alone what was released or has time', async () => {
    const watchdog = new Watchdog();
    const [late, done, patient] = [new AbortController(), new AbortController(), new AbortController()];
    watchdog.watch(late, 10);
    watchdog.watch(done, 10);
    watchdog.watch(patient, 60_000);
    watchdog.release(done);
    await sleep(700);
    expect([late, done, patient].map(({ signal }) => signal.aborted)).toEqual([true, false, false]);
    expect(late.signal.reason).toMatchObject({ name: 'TimeoutError' });
    watchdog.stop();
  });

  it('ends nothing once it was stopped', async () => {
    const watchdog = new Watchdog();
    const work = new AbortController();
    watchdog.watch(work, 10);
    watchdog.stop();
    await sleep(700);
    expect(work.signal.aborted).toBe(false);
  });
});
