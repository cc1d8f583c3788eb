import { describe, expect, it } from 'vitest';
import type { Trouble } from '../../harness/front/fate.ts';
import { startChaos } from '../../harness/front/chaos.ts';
import { targetOfReference } from '../../embedded/reference-hooks.ts';
import { areaOf } from '../../harness/check/check.ts';
import { startReference } from '../../reference/index.ts';
import { allChecks } from '../../suites/index.ts';
import { findingsOf, notPassed, runOn, type SuiteRun } from './run-suite.ts';

/** Enough checks to send, read and walk a lot, and none that has to be alone. */
const checks = allChecks.filter(
  (each) => ['population', 'send', 'channel-read', 'mentions'].includes(areaOf(each)) && !each.isExclusive,
);

async function runThrough(trouble: Partial<Trouble>): Promise<SuiteRun> {
  await using reference = await startReference();
  await using proxy = await startChaos(reference, {
    seed: 1,
    cut: 0,
    limited: 0,
    retryAfterSeconds: 0,
    unavailable: 0,
    delayMs: 0,
    ...trouble,
  });
  const target = { ...targetOfReference(reference), settleMs: 100, baseUrl: proxy.baseUrl };
  return await runOn(checks, target);
}

describe('a run through trouble on the way', () => {
  it.each([1, 2])(
    'comes to every verdict all the same (seed %d)',
    async (seed) => {
      const run = await runThrough({ seed, cut: 0.05, limited: 0.05, unavailable: 0.05, delayMs: 50 });
      expect(findingsOf(run)).toEqual([]);
      expect(notPassed(run)).toEqual([]);
      expect([run.footer.exitCode, run.footer.end]).toEqual([0, 'complete']);
    },
    180_000,
  );

  it("fails nothing where one answer in five is a gateway's", async () => {
    const run = await runThrough({ seed: 3, unavailable: 0.2 });
    expect(findingsOf(run)).toEqual([]);
    expect([run.footer.exitCode, run.footer.trouble?.text]).toEqual([0, undefined]);
  }, 180_000);
});
