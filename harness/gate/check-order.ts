import { createHash, randomInt } from 'node:crypto';
import type { Check } from '../check/check.ts';

/** An order of checks that is drawn. */
export interface DrawnOrder {
  /** From 0 to `largestOrderSeed`. */
  readonly seed: number;
}

/** Largest seed that is drawn: short enough to be typed again. */
const largestOrderSeed = 999_999_999;

/** An order by a seed of its own. */
export function anyOrder(): DrawnOrder {
  return { seed: randomInt(largestOrderSeed + 1) };
}

/**
 * Checks in the order that a seed draws. Of two checks the same one comes first whichever others are there, so that a narrowed run keeps
 * the order of a whole one.
 */
export function inDrawnOrder(checks: readonly Check[], { seed }: DrawnOrder): readonly Check[] {
  const places = new Map(checks.map((check) => [check, placeOf(check.id, seed)]));
  return checks.toSorted((one, other) => ((places.get(one) ?? '') < (places.get(other) ?? '') ? -1 : 1));
}

function placeOf(id: string, seed: number): string {
  return createHash('sha256').update(`${seed} ${id}`).digest('hex');
}
