import { expect, it, onTestFinished } from 'vitest';
import { targetOfReference } from '../../embedded/reference-hooks.ts';
import { startReference } from '../../reference/index.ts';
import { allChecks } from '../../suites/index.ts';
import { findingsOf, notPassed, runOn } from './run-suite.ts';

it('a server that keeps all that was ever sent to it is told twice that it is good, with every hook and the default settle time', async () => {
  const reference = await startReference();
  onTestFinished(() => reference.close());
  for (const _ of ['once', 'again']) {
    const run = await runOn(allChecks, { ...targetOfReference(reference), settleMs: undefined });
    expect(findingsOf(run)).toEqual([]);
    expect(notPassed(run)).toEqual([]);
    expect(run.footer.exitCode).toBe(0);
  }
});
