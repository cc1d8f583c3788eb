import { describe, expect, it } from 'vitest';
import { allConcurrencyMutants, findMutant } from '../../../selftest/stress/index.ts';

describe('concurrent clients find, within thirty seconds, that', () => {
  it.each(allConcurrencyMutants)('$what ($id)', async (mutant) => {
    const { isFound, names } = await findMutant(mutant);
    expect({ isFound, names }).toMatchObject({ isFound: true });
  });
});
