import { describe, expect, it } from 'vitest';
import { targetOf } from '../config/target-folder.ts';
import { RunState } from '../../../harness/stream/run-state.ts';
import { CheckStopped } from '../../../harness/verdict/outcome.ts';
import { unansweredOf } from '../../fixtures/exchange.ts';

const newRun = (): RunState => new RunState(targetOf(), { roundTripMs: 1, settleMs: 1 });

function counter(): () => Promise<number> {
  let made = 0;
  return async () => (made += 1);
}

describe('what checks share', () => {
  it('is made once for any number of checks', async () => {
    const run = newRun();
    const make = counter();
    expect(await run.shared('series', 'a', make)).toBe(1);
    expect(await run.shared('series', 'b', make)).toBe(1);
  });

  it('is made again for a check that asks again, and that one serves the others', async () => {
    const run = newRun();
    const make = counter();
    await run.shared('series', 'a', make);
    await run.shared('series', 'b', make);
    expect(await run.shared('series', 'a', make)).toBe(2);
    expect(await run.shared('series', 'b', make)).toBe(2);
    expect(await run.shared('series', 'c', make)).toBe(2);
  });

  it('goes by its name', async () => {
    const run = newRun();
    const make = counter();
    await run.shared('series', 'a', make);
    expect(await run.shared('another', 'a', make)).toBe(2);
  });

  it('keeps a failure for the checks that ask later', async () => {
    const run = newRun();
    const fail = (): Promise<never> => Promise.reject(new Error('not made'));
    await expect(run.shared('series', 'a', fail)).rejects.toThrow('not made');
    await expect(run.shared('series', 'b', async () => 1)).rejects.toThrow('not made');
    expect(await run.shared('series', 'b', async () => 1)).toBe(1);
  });

  it('is made again after trouble for those that ask later, but not for ever', async () => {
    const run = newRun();
    let made = 0;
    const exchange = unansweredOf('reset', { call: 'mentions' }, { tries: 3 });
    const disturbed = (): Promise<never> => {
      made += 1;
      return Promise.reject(new CheckStopped({ kind: 'disturbed', clause: undefined, exchange }));
    };
    for (let asked = 0; asked < 20; asked += 1)
      await expect(run.shared('series', `check ${asked}`, disturbed)).rejects.toThrow('disturbed');
    expect(made).toBeGreaterThan(1);
    expect(made).toBeLessThan(10);
    const another = newRun();
    await expect(another.shared('series', 'a', disturbed)).rejects.toThrow('disturbed');
    expect(await another.shared('series', 'b', async () => 'made')).toBe('made');
  });
});
