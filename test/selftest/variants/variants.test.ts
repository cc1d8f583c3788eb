import { describe, it } from 'vitest';
import { mix, variants } from '../../../selftest/variants/index.ts';
import { falseAlarms, runMixture } from './run-mixture.ts';

/** One server with each freedom, and the whole suite against it. Quick work: `npx vitest run test/selftest/variants -t <id>`. */
describe.concurrent('the suite raises no alarm where', { timeout: 180_000 }, () => {
  it.for(variants)('$id', async (variant, { expect }) => {
    const mixture = mix([variant]);
    const run = await runMixture(mixture);
    expect(falseAlarms(run, mixture)).toEqual([]);
    expect(run.footer.exitCode).toBe(0);
  });
});
