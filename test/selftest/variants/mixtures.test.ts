import { describe, it } from 'vitest';
import { mixtureOf } from '../../../selftest/variants/index.ts';
import { falseAlarms, runMixture } from './run-mixture.ts';

/** How many mixtures are tried, and the seed of the first one: `MIXTURES=200 SEED=1000 npx vitest run test/selftest/variants`. */
const count = Number(process.env['MIXTURES'] ?? 20);
const firstSeed = Number(process.env['SEED'] ?? 1);

const mixtures = Array.from({ length: count }, (_, index) => {
  const seed = firstSeed + index;
  const { variants } = mixtureOf(seed);
  return { seed, ids: variants.map(({ id }) => id).join(', ') };
});

describe.concurrent('the suite raises no alarm at a mixture', { timeout: 180_000 }, () => {
  it.for(mixtures)('$seed of $ids', async ({ seed }, { expect }) => {
    const mixture = mixtureOf(seed);
    const run = await runMixture(mixture);
    expect(falseAlarms(run, mixture)).toEqual([]);
    expect(run.footer.exitCode).toBe(0);
  });
});
