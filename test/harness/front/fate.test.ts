import { describe, expect, it } from 'vitest';
import { type FateKind, fateOf, type Trouble } from '../../../harness/front/fate.ts';

const trouble: Trouble = {
  seed: 7,
  cut: 0.1,
  limited: 0.2,
  retryAfterSeconds: 1,
  unavailable: 0.3,
  delayMs: 200,
};
const many = 20_000;

function shareOf(seed: number, ...kinds: readonly FateKind[]): number {
  let met = 0;
  for (let index = 0; index < many; index += 1)
    if (kinds.includes(fateOf({ ...trouble, seed }, index).kind)) met += 1;
  return met / many;
}

describe('the fate of a request', () => {
  it.each([1, 7, 2 ** 31])('comes in the shares asked for, whatever the seed (%d)', (seed) => {
    expect(shareOf(seed, 'cut-in-request', 'cut-unanswered', 'cut-in-answer')).toBeCloseTo(0.1, 1.7);
    expect(shareOf(seed, 'limited')).toBeCloseTo(0.2, 1.7);
    expect(shareOf(seed, 'unavailable', 'unavailable-unanswered')).toBeCloseTo(0.3, 1.7);
    expect(shareOf(seed, 'unavailable-unanswered')).toBeCloseTo(0.075, 1.7);
  });

  it('is cut in the request, before the answer and in the answer alike', () => {
    for (const kind of ['cut-in-request', 'cut-unanswered', 'cut-in-answer'] as const)
      expect(shareOf(7, kind)).toBeCloseTo(0.033, 1.9);
  });

  it('is the same for the same seed, and another for another', () => {
    const kinds = (seed: number): string =>
      Array.from({ length: 100 }, (_, index) => fateOf({ ...trouble, seed }, index).kind).join();
    expect(kinds(7)).toBe(kinds(7));
    expect(kinds(7)).not.toBe(kinds(8));
  });

  it('is held up by no more than the delay, and by every part of it', () => {
    const delays = Array.from({ length: 1_000 }, (_, index) => fateOf(trouble, index).delayMs);
    expect(Math.min(...delays)).toBeLessThan(10);
    expect(Math.max(...delays)).toBeGreaterThan(190);
    expect(Math.max(...delays)).toBeLessThan(200);
  });

  it('is to pass where no trouble is asked for', () => {
    const none = { ...trouble, cut: 0, limited: 0, unavailable: 0, delayMs: 0 };
    for (let index = 0; index < 100; index += 1)
      expect(fateOf(none, index)).toMatchObject({ kind: 'pass', delayMs: 0 });
  });

  it('holds every request up by the latency, and by no more where nothing else is asked for', () => {
    const delays = (own: Partial<Trouble>): readonly number[] =>
      Array.from({ length: 100 }, (_, index) => fateOf({ ...trouble, ...own }, index).delayMs);
    expect(new Set(delays({ delayMs: 0, latencyMs: 50 }))).toEqual(new Set([50]));
    expect(Math.min(...delays({ latencyMs: 50 }))).toBeGreaterThanOrEqual(50);
    expect(Math.max(...delays({ latencyMs: 50 }))).toBeLessThanOrEqual(250);
  });
});
