import { describe, expect, it } from 'vitest';
import { Waits } from '../../../../harness/client/pacing/waits.ts';

/** Waits on a clock of the test, and pieces of work that end when they are told to. */
function watched(): {
  waits: Waits;
  pass: (ms: number) => void;
  begin: (how: (work: () => Promise<void>) => Promise<void>) => () => Promise<void>;
} {
  let nowMs = 0;
  const waits = new Waits(() => nowMs);
  return {
    waits,
    pass: (ms) => void (nowMs += ms),
    begin: (how) => {
      let end = (): void => undefined;
      const done = how(() => new Promise((resolve) => (end = resolve)));
      return () => {
        end();
        return done;
      };
    },
  };
}

describe('the time that a run spends on waiting', () => {
  it('is what passes while nothing else goes on', async () => {
    const { waits, pass, begin } = watched();
    const settled = begin((work) => waits.waiting('settle', work));
    pass(400);
    await settled();
    pass(50);
    expect(waits.idleMs).toEqual({ settle: 400 });
  });

  it('leaves out what passes while a request is on its way', async () => {
    const { waits, pass, begin } = watched();
    const settled = begin((work) => waits.waiting('settle', work));
    pass(100);
    const answered = begin((work) => waits.requesting(work));
    pass(250);
    await answered();
    pass(50);
    await settled();
    expect(waits.idleMs).toEqual({ settle: 150 });
  });

  it('is shared by all that is waited for', async () => {
    const { waits, pass, begin } = watched();
    const ends = [
      begin((work) => waits.waiting('hook', work)),
      begin((work) => waits.waiting('longPoll', work)),
      begin((work) => waits.waiting('longPoll', work)),
    ];
    pass(300);
    await Promise.all(ends.map((end) => end()));
    expect(waits.idleMs).toEqual({ hook: 100, longPoll: 200 });
  });

  it('leaves room for more while nothing waits for its turn', async () => {
    const { waits, begin } = watched();
    expect(waits.hasRoom).toBe(false);
    const settled = begin((work) => waits.waiting('settle', work));
    expect(waits.hasRoom).toBe(true);
    const answered = begin((work) => waits.requesting(work));
    expect(waits.hasRoom).toBe(false);
    await answered();
    const paused = begin((work) => waits.waiting('pause', work));
    expect(waits.hasRoom).toBe(false);
    await paused();
    expect(waits.hasRoom).toBe(true);
    await settled();
  });

  it('counts what is still going on, and what ended badly', async () => {
    const { waits, pass, begin } = watched();
    begin((work) => waits.waiting('pause', work));
    pass(20);
    expect(waits.idleMs).toEqual({ pause: 20 });
    await expect(waits.requesting(() => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
    pass(20);
    expect(waits.idleMs).toEqual({ pause: 40 });
  });
});
