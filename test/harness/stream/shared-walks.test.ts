import { describe, expect, it } from 'vitest';
import { wallClock } from '../../../harness/client/pacing/clock.ts';
import { SharedWalks } from '../../../harness/stream/shared-walks.ts';
import type { Walk } from '../../../harness/stream/walk.ts';

function walked(end: bigint, isComplete = true): Walk {
  return { pages: [], items: [], isComplete, problem: undefined, nextAfter: end };
}

/** Looks of several checks at streams; `walks` says from where walks began, and whose. */
function looking(walkAs: (name: string, from: bigint) => Promise<Walk> = async () => walked(9n)) {
  const shared = new SharedWalks();
  const walks: string[] = [];
  const look = (name: string, from: bigint, key = 'a channel'): Promise<Walk> =>
    shared.walk({
      key,
      start: from,
      clock: wallClock,
      sleep: (durationMs) => wallClock.elapse(durationMs),
      walk: (lowest) => {
        walks.push(`${name} from ${lowest}`);
        return walkAs(name, lowest);
      },
    });
  return { look, walks };
}

describe('walks that checks share', () => {
  it('begins at once where nobody has just begun', async () => {
    const { look, walks } = looking();
    void look('one', 5n);
    expect(walks).toEqual(['one from 5']);
  });

  it('is one walk, from the lowest cursor, for all who ask before it begins', async () => {
    const { look, walks } = looking();
    await Promise.all([look('one', 5n), look('two', 7n), look('three', 4n), look('four', 6n)]);
    expect(walks).toEqual(['one from 5', 'two from 4']);
  });

  it('begins after everybody who shares it has asked', async () => {
    const { look, walks } = looking();
    await look('one', 5n);
    await look('two', 5n);
    expect(walks).toEqual(['one from 5', 'two from 5']);
  });

  it('is not shared between streams', async () => {
    const { look, walks } = looking();
    await Promise.all([look('one', 5n), look('two', 5n, 'another'), look('three', 3n, 'a third')]);
    expect(walks).toEqual(['one from 5', 'two from 5', 'three from 3']);
  });

  it('is taken again by each when it was not complete', async () => {
    const { look, walks } = looking(async (name) => walked(9n, name !== 'two'));
    const looks = [look('one', 1n), look('two', 2n), look('three', 3n)];
    const [, two, three] = await Promise.all(looks);
    expect(walks).toEqual(['one from 1', 'two from 2', 'three from 3']);
    expect([two?.isComplete, three?.isComplete]).toEqual([false, true]);
  });

  it('is taken again by each when who walked was stopped', async () => {
    const { look, walks } = looking(async (name) => {
      if (name === 'two') throw new Error('stopped');
      return walked(9n);
    });
    const looks = [look('one', 1n), look('two', 2n), look('three', 3n)];
    await expect(looks[1]).rejects.toThrow('stopped');
    expect((await looks[2])?.isComplete).toBe(true);
    expect(walks).toEqual(['one from 1', 'two from 2', 'three from 3']);
  });

  it('leaves the time of a shared walk out of the clock of whoever did not take it', async () => {
    const { look } = looking(async () => {
      await wallClock.elapse(5);
      return walked(9n);
    });
    const shared = new SharedWalks();
    let left = 0;
    const given = (isLeader: boolean) => ({
      key: 'a channel',
      start: 1n,
      clock: {
        untimed: <T>(work: () => Promise<T>) => {
          if (!isLeader) left += 1;
          return work();
        },
      },
      sleep: (durationMs: number) => wallClock.elapse(durationMs),
      walk: () => look('one', 1n),
    });
    await Promise.all([shared.walk(given(true)), shared.walk(given(true)), shared.walk(given(false))]);
    expect(left).toBe(1);
  });
});
