import { describe, expect, it } from 'vitest';
import { RunState } from '../../../harness/engine/run-state.ts';
import { readTarget } from '../../../harness/target/read-target.ts';

function newRun(): RunState {
  const { target } = readTarget({ flags: { baseUrl: 'http://localhost:1' }, env: {}, cwd: '.' });
  return new RunState(target, { roundTripMs: 1, settleMs: 1 });
}

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

  it('is made anew for a check that asks again, and that one serves the others', async () => {
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
});
