import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { AttemptClock } from '../../../harness/run/attempt-clock.ts';

const clockOf = (limitMs: number): AttemptClock => new AttemptClock(limitMs, { sleep: (ms) => sleep(ms) });

async function isExpired(clock: AttemptClock): Promise<boolean> {
  return Promise.race([clock.expired.then(() => true), sleep(0).then(() => false)]);
}

describe('the clock of an attempt', () => {
  it('stands still while any of several waits lasts, and counts nothing of them', async () => {
    const clock = clockOf(0);
    const startedMs = clock.now();
    const long = clock.untimed(() => sleep(200));
    await clock.untimed(() => sleep(50));
    const heldMs = clock.now() - startedMs;
    await long;
    expect(heldMs).toBeLessThan(20);
    expect(clock.now() - startedMs).toBeLessThan(20);
    expect(clock.heldMs).toBeGreaterThan(190);
  });

  it('has stood still for no time at all, and not for less, when it never did', () => {
    const clock = clockOf(0);
    expect(Array.from({ length: 1_000 }, () => clock.heldMs).every((heldMs) => heldMs === 0)).toBe(true);
  });

  it('does not expire while it stands still, and does when its own time is over', async () => {
    const clock = clockOf(150);
    await clock.untimed(() => sleep(300));
    expect(await isExpired(clock)).toBe(false);
    await sleep(200);
    expect(await isExpired(clock)).toBe(true);
  });

  it('goes on after a wait that failed', async () => {
    const clock = clockOf(100);
    await expect(clock.untimed(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await sleep(150);
    expect(await isExpired(clock)).toBe(true);
  });

  it('elapses by its own time', async () => {
    const clock = clockOf(0);
    const startedMs = performance.now();
    const elapsed = clock.elapse(100);
    await clock.untimed(() => sleep(250));
    await elapsed;
    expect(performance.now() - startedMs).toBeGreaterThan(330);
  });

  it('never expires once it was stopped, though it still tells the time', async () => {
    const clock = clockOf(50);
    clock.stop();
    const startedMs = clock.now();
    await sleep(120);
    expect(await isExpired(clock)).toBe(false);
    expect(clock.now() - startedMs).toBeGreaterThan(100);
  });

  it('stays stopped when a wait ends later', async () => {
    const clock = clockOf(50);
    const waiting = clock.untimed(() => sleep(30));
    clock.stop();
    await waiting;
    await sleep(100);
    expect(await isExpired(clock)).toBe(false);
  });
});
