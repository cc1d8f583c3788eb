import { SuiteBug } from '../errors.ts';
import { runsAlone } from './check.ts';
import type { Check } from './check.ts';

/**
 * Checks that send more than this run after the others, and few at once: each reads past the contents of those beside
 * it, so that side by side the bytes read grow with the square of their number.
 */
const largeBodyBytes = 100_000;
const largeConcurrency = 4;

/**
 * Ordinary checks together, those that wait long first; then the exclusive ones each alone, then those with large
 * bodies, which nobody has to read past.
 */
export function wavesOf(
  checks: readonly Check[],
): readonly { checks: readonly Check[]; concurrency?: number }[] {
  const shared = checks.filter((check) => !runsAlone(check));
  return [
    {
      checks: shared
        .filter(({ bodyBytes }) => bodyBytes <= largeBodyBytes)
        .toSorted((one, other) => other.waitMs - one.waitMs),
    },
    { checks: checks.filter(runsAlone), concurrency: 1 },
    { checks: shared.filter(({ bodyBytes }) => bodyBytes > largeBodyBytes), concurrency: largeConcurrency },
  ];
}

/** Runs checks side by side, `concurrency` of them at once, until all have ended or `signal` says to stop. */
export async function inParallel(
  checks: readonly Check[],
  concurrency: number,
  signal: AbortSignal,
  one: (check: Check) => Promise<void>,
): Promise<void> {
  if (!Number.isInteger(concurrency) || concurrency < 1)
    throw new SuiteBug(`concurrency ${concurrency} is no count`);
  const queue = checks.values();
  const lane = async (): Promise<void> => {
    for (const check of queue) {
      if (signal.aborted) return;
      // A lane takes one check after another.
      // oxlint-disable-next-line no-await-in-loop
      await one(check);
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, checks.length) }, lane));
}
