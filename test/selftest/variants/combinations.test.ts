import { describe, it } from 'vitest';
import { combinationOf } from '../../../selftest/variants/index.ts';
import { falseAlarms, runCombination } from './run-combination.ts';

/** How many combinations are tried, and the seed of the first one: `COMBINATIONS=200 SEED=1000 npx vitest run test/selftest/variants`. */
const count = Number(process.env['COMBINATIONS'] ?? 20);
const firstSeed = Number(process.env['SEED'] ?? 1);

const combinations = Array.from({ length: count }, (_, index) => {
  const seed = firstSeed + index;
  const { variants } = combinationOf(seed);
  return { seed, ids: variants.map(({ id }) => id).join(', ') };
});

describe.concurrent('the suite raises no alarm at a combination', { timeout: 180_000 }, () => {
  it.for(combinations)('$seed of $ids', async ({ seed }, { expect }) => {
    const combination = combinationOf(seed);
    const run = await runCombination(combination);
    expect(falseAlarms(run, combination)).toEqual([]);
    expect(run.footer.exitCode).toBe(0);
  });
});
