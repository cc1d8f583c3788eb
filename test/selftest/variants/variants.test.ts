import { describe, it } from 'vitest';
import { combine, variants } from '../../../selftest/variants/index.ts';
import { falseAlarms, runCombination } from './run-combination.ts';

/** One server with each variant, and the whole suite against it. Quick work: `npx vitest run test/selftest/variants -t <id>`. */
describe.concurrent('the suite raises no alarm where', { timeout: 180_000 }, () => {
  it.for(variants)('$id', async (variant, { expect }) => {
    const combination = combine([variant]);
    const run = await runCombination(combination);
    expect(falseAlarms(run, combination)).toEqual([]);
    expect(run.footer.exitCode).toBe(0);
  });
});
