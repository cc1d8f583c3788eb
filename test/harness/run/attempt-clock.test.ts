import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AttemptClock } from '../../../harness/run/attempt-clock.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const pass = (ms: number): Promise<void> => vi.advanceTimersByTimeAsync(ms).then(() => {});
const clockOf = (limitMs: number): AttemptClock => new AttemptClock(limitMs, { sleep });

async function isExpired(clock: AttemptClock): Promise<boolean> {
  let isOver = false;
  void clock.expired.then(() => (isOver = true));
  await pass(0);
  return isOver;
}

describe('the clock of an attempt', () => {
  it('stands still while any of several waits lasts, and counts nothing of them', async () => {
    const clock = clockOf(0);
    const startedMs = clock.now();
    void clock.untimed(() => sleep(200));
    void clock.untimed(() => sleep(50));
    await pass(100);
    expect(clock.now() - startedMs).toBe(0);
    await pass(100);
    expect([clock.now() - startedMs, clock.heldMs]).toEqual([0, 200]);
    await pass(30);
    expect([clock.now() - startedMs, clock.heldMs]).toEqual([30, 200]);
  });

  it('has stood still for no time at all, and not for less, when it never did', async () => {
    vi.useRealTimers();
    const clock = clockOf(0);
    expect(Array.from({ length: 1_000 }, () => clock.heldMs).every((heldMs) => heldMs === 0)).toBe(true);
  });

  it('does not expire while it stands still, and does when its own time is over', async () => {
    const clock = clockOf(150);
    void clock.untimed(() => sleep(300));
    await pass(449);
    expect(await isExpired(clock)).toBe(false);
    await pass(1);
    expect(await isExpired(clock)).toBe(true);
  });

  it('goes on after a wait that failed', async () => {
    const clock = clockOf(100);
    await expect(clock.untimed(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await pass(100);
    expect(await isExpired(clock)).toBe(true);
  });

  it('elapses by its own time', async () => {
    const clock = clockOf(0);
    let isOver = false;
    void clock.elapse(100).then(() => (isOver = true));
    void clock.untimed(() => sleep(250));
    await pass(349);
    expect(isOver).toBe(false);
    await pass(1);
    expect(isOver).toBe(true);
  });

  it.each([
    ['was stopped', 0],
    ['was stopped while a wait went on', 30],
  ])('never expires once it %s, though it still tells the time', async (_, waitMs) => {
    const clock = clockOf(50);
    if (waitMs > 0) void clock.untimed(() => sleep(waitMs));
    clock.stop();
    const startedMs = clock.now();
    await pass(120);
    expect(await isExpired(clock)).toBe(false);
    expect(clock.now() - startedMs).toBe(120 - waitMs);
  });
});
