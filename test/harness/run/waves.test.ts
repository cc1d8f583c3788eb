import { describe, expect, it } from 'vitest';
import type { Check } from '../../../harness/check/check.ts';
import { inParallel, staggered, wavesOf, wavesWithoutQuiet } from '../../../harness/run/waves.ts';
import { checkOf } from '../../fixtures/check.ts';

const never = new AbortController().signal;
const idsOf = (checks: readonly Check[]): string[] => checks.map(({ id }) => id);

it('the waves of a run in a drawn order keep it among ordinary checks, and keep the others apart', () => {
  const drawn = [
    checkOf('a.short'),
    checkOf('a.alone', { isExclusive: true }),
    checkOf('a.long', { waitMs: 1000 }),
  ];
  const [ordinary, ...others] = wavesOf(drawn, { isDrawn: true }).map(({ checks }) => idsOf(checks));
  expect(ordinary).toEqual(['a.short', 'a.long']);
  expect(others.flat()).toEqual(['a.alone']);
});

describe('the waves of a run', () => {
  const waves = wavesOf([
    checkOf('a.plain'),
    checkOf('a.large', { bodyBytes: 500_000 }),
    checkOf('a.alone', { isExclusive: true }),
    checkOf('a.settling', { isExclusive: true, sharesSettling: true }),
    checkOf('a.quiet', { isExclusive: true }),
    checkOf('a.waiting', { waitMs: 1000 }),
    checkOf('a.small', { bodyBytes: 80_000 }),
    checkOf('a.limit', { isExclusive: true, needs: ['provision-hook', 'limit-hook'] }),
    checkOf('a.restart', { needs: ['author', 'restart-hook'] }),
  ]);

  it('are ordinary checks, those that settle, those that want quiet, large bodies and restarts, in this order', () => {
    expect(
      waves.map(({ checks, ...how }) => [idsOf(checks), { ...how, elsewhere: idsOf(how.elsewhere ?? []) }]),
    ).toEqual([
      // Of these, first those that wait.
      [['a.waiting', 'a.plain', 'a.small'], { elsewhere: [] }],
      [['a.settling'], { elsewhere: [], isStaggered: true }],
      // One at a time, and beside them what acts elsewhere.
      [['a.alone', 'a.quiet'], { elsewhere: ['a.limit'], concurrency: 1 }],
      [['a.large'], { elsewhere: [], concurrency: 4 }],
      [['a.restart'], { elsewhere: [] }],
    ]);
  });

  it('are one, and one for what the operator does, where nothing is ever shown', () => {
    const [together, alone] = wavesWithoutQuiet(waves.slice(1));
    expect(idsOf(together?.checks ?? [])).toEqual(['a.settling', 'a.alone', 'a.quiet', 'a.large']);
    expect(together?.concurrency).toBe(undefined);
    expect(idsOf(alone?.checks ?? [])).toEqual(['a.limit', 'a.restart']);
    expect(alone?.concurrency).toBe(1);
  });
});

it('checks that share their settle time begin one after the other, each when the one before settles or has ended', async () => {
  const log: string[] = [];
  const ends = new Map<string, () => void>();
  const one = async ({ id }: Check, onSettling: () => void): Promise<void> => {
    log.push(`${id} begins`);
    await Promise.resolve();
    if (id === 'a.ends') return;
    onSettling();
    log.push(`${id} settles`);
    await new Promise<void>((resolve) => ends.set(id, resolve));
    log.push(`${id} ends`);
  };
  const all = staggered([checkOf('a.first'), checkOf('a.ends'), checkOf('a.last')], never, one);
  await expect.poll(() => ends.size).toBe(2);
  expect(log).toEqual([
    'a.first begins',
    'a.first settles',
    'a.ends begins',
    'a.last begins',
    'a.last settles',
  ]);
  for (const end of ends.values()) end();
  await all;
  expect(log.slice(-2)).toEqual(['a.first ends', 'a.last ends']);
});

describe('checks side by side', () => {
  const many = Array.from({ length: 40 }, (_, index) => checkOf(`a.check-${index}`));

  /** The most that ran at once, when each takes so long. */
  async function mostAtOnce(breadth: Parameters<typeof inParallel>[1], tookMs: number): Promise<number> {
    let [running, most, ran] = [0, 0, 0];
    await inParallel(many, breadth, never, async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, tookMs));
      running -= 1;
      ran += 1;
    });
    expect(ran).toBe(many.length);
    return most;
  }

  it('are as many as was said', async () => {
    expect(await mostAtOnce({ concurrency: 5 }, 5)).toBe(5);
  });

  it('are more while all of them only wait, up to a bound', async () => {
    expect(await mostAtOnce({ concurrency: 5, whileIdle: 30, isIdle: () => true }, 200)).toBe(30);
    expect(await mostAtOnce({ concurrency: 5, whileIdle: 30, isIdle: () => false }, 30)).toBe(5);
  });

  it('are given up when one of them breaks the suite', async () => {
    let ran = 0;
    const broken = inParallel(many, { concurrency: 2 }, never, async () => {
      ran += 1;
      if (ran === 3) throw new Error('a bug');
      await new Promise((resolve) => setTimeout(resolve, 5));
    });
    await expect(broken).rejects.toThrow('a bug');
    expect(ran).toBeLessThan(many.length);
  });
});
