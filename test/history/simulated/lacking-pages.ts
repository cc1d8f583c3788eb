import { describe, expect, it } from 'vitest';
import { historyMutants } from '../../../selftest/histories/mutants.ts';
import { simulateConforming, upTo } from './judged.ts';
import { lackIn, lackingIn } from './lacking.ts';

describe('what a page lacks', () => {
  const seen = { passedOver: 0, denied: 0 };

  it.each(historyMutants)(
    'is found in a history of $id whenever it is visible, and only then',
    async (mutant) => {
      const { found, isThere } = await lackIn(mutant, 1);
      seen.passedOver += Number(isThere[0]);
      seen.denied += Number(isThere[1]);
      expect(found).toEqual(isThere);
    },
  );

  it('was visible in many histories, so that finding it says something', () => {
    expect(seen.passedOver).toBeGreaterThan(12);
    expect(seen.denied).toBeGreaterThan(2);
  });

  it('is nothing in histories of a conforming service', async () => {
    for (const seed of upTo(20))
      expect(lackingIn((await simulateConforming(seed)).history), `seed ${seed}`).toEqual({
        passedOver: [],
        denied: [],
      });
  });
});
