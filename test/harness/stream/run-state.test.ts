import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RunState } from '../../../harness/stream/run-state.ts';
import { targetOf } from '../config/target-folder.ts';

describe('the sleep of a run', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const newRun = (): RunState => new RunState(targetOf(), { roundTripMs: 1, settleMs: 1 });

  it('lasts as long as it is asked for', async () => {
    const woken = vi.fn<() => void>();
    void newRun().whole.sleep(100, 'settle').then(woken);
    await vi.advanceTimersByTimeAsync(99);
    expect(woken).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(woken).toHaveBeenCalledOnce();
  });

  it('goes on for ever once the run has ended, without a timer that would keep the process from ending', async () => {
    const woken = vi.fn<() => void>();
    const run = newRun();
    void run.whole.sleep(100, 'settle').then(woken);
    run.whole.end();
    void run.whole.sleep(100, 'settle').then(woken);
    expect(vi.getTimerCount()).toBe(0);
    await vi.advanceTimersByTimeAsync(1000);
    expect(woken).not.toHaveBeenCalled();
  });
});
