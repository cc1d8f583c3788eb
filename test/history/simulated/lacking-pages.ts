import { describe, expect, it } from 'vitest';
import type { HistoryMutant } from '../../../selftest/histories/mutants.ts';
import { lackIn } from './lacking.ts';

/** Holds what the judges say of pages that lack something against the slow way to find it, in one history of each mutant. */
export function describeLacking(mutants: readonly HistoryMutant[], seed: number): void {
  describe('what a page lacks', () => {
    const seen = { passedOver: 0, denied: 0 };

    it.each(mutants)('is found in a history of $id whenever it is visible, and only then', async (mutant) => {
      const { found, isThere } = await lackIn(mutant, seed);
      seen.passedOver += Number(isThere[0]);
      seen.denied += Number(isThere[1]);
      expect(found).toEqual(isThere);
    });

    it('was visible in many histories, so that finding it says something', () => {
      expect(seen.passedOver).toBeGreaterThan(mutants.length / 12);
      expect(seen.denied).toBeGreaterThan(2);
    });
  });
}
