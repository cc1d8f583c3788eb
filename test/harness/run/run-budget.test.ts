import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RunBudget } from '../../../harness/run/run-budget.ts';

const minute = 60_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

async function isOver(budget: RunBudget): Promise<boolean> {
  let over = false;
  void budget.over.then(() => (over = true));
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  return over;
}

const after = (durationMs: number): Promise<void> => vi.advanceTimersByTimeAsync(durationMs).then(() => {});

describe('the budget of a run', () => {
  it('is five minutes by default', async () => {
    const budget = new RunBudget(undefined);
    await after(4.9 * minute);
    expect(await isOver(budget)).toBe(false);
    await after(0.2 * minute);
    expect(await isOver(budget)).toBe(true);
    expect(budget.reason()).toBe('the budget of 300 s ran out; --budget-ms allows more');
  });

  it('does not count the time in which requests wait for their turn', async () => {
    const budget = new RunBudget(undefined);
    void budget.untimed(() => new Promise((resolve) => setTimeout(resolve, 30 * minute)));
    await after(34 * minute);
    expect(await isOver(budget)).toBe(false);
    await after(2 * minute);
    expect(await isOver(budget)).toBe(true);
    expect(budget.reason()).toBe(
      'the budget of 300 s ran out, 1800 s of waiting for a rate limit not counted; --budget-ms allows more',
    );
  });

  it('is an hour in all', async () => {
    const budget = new RunBudget(undefined);
    void budget.untimed(() => new Promise(() => undefined));
    await after(59 * minute);
    expect(await isOver(budget)).toBe(false);
    await after(2 * minute);
    expect(await isOver(budget)).toBe(true);
    expect(budget.reason()).toMatch(/^the run took an hour, 36\d\d s of it waiting for a rate limit/);
  });

  it('that was given is held by the wall clock', async () => {
    const budget = new RunBudget(2 * minute);
    void budget.untimed(() => new Promise(() => undefined));
    await after(2.1 * minute);
    expect(await isOver(budget)).toBe(true);
    expect(budget.reason()).toBe('the budget of 120 s ran out; --budget-ms allows more');
  });

  it('names answers that are slow', async () => {
    const budget = new RunBudget(undefined);
    await after(5.1 * minute);
    expect(budget.reason(2_040)).toBe(
      'the budget of 300 s ran out; an answer took about 2 s; --budget-ms allows more',
    );
    expect(budget.reason(20)).not.toContain('answer');
  });

  it('is never over once it was stopped', async () => {
    const budget = new RunBudget(undefined);
    budget.stop();
    await after(70 * minute);
    expect(await isOver(budget)).toBe(false);
  });
});
