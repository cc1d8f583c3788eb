import { describe, expect, it } from 'vitest';
import { historyMutants } from '../../../selftest/histories/mutants.ts';
import { judgeClean } from './clean.ts';
import { conformingSeeds } from './judged.ts';
import { lackIn } from './lacking.ts';

describe('the judges, at a thousand conforming services more', () => {
  it.each(Array.from({ length: 10 }, (_, index) => conformingSeeds.length + 1 + index * 122))(
    'say nothing of seeds from %d on',
    async (from) => {
      const seeds = Array.from({ length: 122 }, (_, index) => from + index);
      expect((await judgeClean(seeds)).alarms).toEqual([]);
    },
  );
});

describe('what a page lacks', () => {
  it.each(historyMutants)('is found in another history of $id whenever it is visible', async (mutant) => {
    const { found, isThere } = await lackIn(mutant, 2);
    expect(found).toEqual(isThere);
  });
});
