import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { targetOfReference } from '../../embedded/reference-hooks.ts';
import { areaOf, isLarge } from '../../harness/check/check.ts';
import type { Target } from '../../harness/config/target.ts';
import { startReference } from '../../reference/index.ts';
import type { Reference } from '../../reference/index.ts';
import { allChecks } from '../../suites/index.ts';
import { findingsOf, notPassed, runOn } from './run-suite.ts';

describe('a server that keeps all that was ever sent to it', () => {
  let reference: Reference;
  let target: Target;
  beforeAll(async () => {
    reference = await startReference();
    target = targetOfReference(reference);
  });
  afterAll(() => reference.close());

  async function outcomeOf(tested: Target) {
    const run = await runOn(allChecks, tested);
    return { findings: findingsOf(run), notPassed: notPassed(run), exitCode: run.footer.exitCode };
  }
  const good = { findings: [], notPassed: [], exitCode: 0 };

  it('is told the same each time, with the default settle time', async () => {
    for (const time of ['first', 'second'])
      expect({ time, ...(await outcomeOf({ ...target, settleMs: undefined })) }).toEqual({ time, ...good });
  }, 120_000);

  it('is told the same by two runs at once that have the same credentials', async () => {
    // What they share is told by marker, or by texts of one byte that both of them send.
    const checks = allChecks.filter((check) => areaOf(check) === 'population' && !isLarge(check));
    const both = await Promise.all([runOn(checks, target), runOn(checks, target)]);
    expect(both.map(findingsOf)).toEqual([[], []]);
    expect(both.map(({ footer }) => footer.exitCode)).toEqual([0, 0]);
  }, 120_000);
});
