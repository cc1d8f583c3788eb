import { describe, expect, it } from 'vitest';
import { targetOfReference } from '../../../embedded/reference-hooks.ts';
import { runWideAreas } from '../../../harness/judging/run-wide-checks.ts';
import { mostRequests } from '../../../harness/stream/find-end.ts';
import { type Rules, startReference } from '../../../reference/index.ts';
import { checkOf } from '../../fixtures/check.ts';
import { runOn } from '../../suites/run-suite.ts';

const history = 20_000;
/** Of preflight. */
const fewRequests = 20;

/** What a check sees that asks for the end of a channel with a history, and what the run took for it. */
async function startOf(rules: Partial<Rules>): Promise<{ start: bigint | undefined; requests: number }> {
  await using reference = await startReference({ rules });
  reference.operator.seedMessages(reference.world, history);
  let start: bigint | undefined;
  const needs = ['author', 'channel'] as const;
  const ask = checkOf('channel-read.start', { needs }, async ({ channel }) => {
    start = await channel.runStart();
  });
  const target = { ...targetOfReference(reference), settleMs: 50 };
  const { footer } = await runOn([ask], target);
  return { start, requests: footer.footprint.requests };
}

describe(`a channel of ${history} messages`, () => {
  it('that needs a cursor is not read from its beginning', async () => {
    const needsCursor: Partial<Rules> = {
      requiresAfter: (route) => route === 'read',
      highWatermark: () => 2n ** 62n,
    };
    const { start, requests } = await startOf(needsCursor);
    expect(start).toBe(BigInt(history));
    expect(requests).toBeLessThanOrEqual(mostRequests + fewRequests);
  });

  it('is no trouble for the checks of an area', async () => {
    await using reference = await startReference();
    reference.operator.seedMessages(reference.world, history);
    const checks = /^(?:channel-read|page)\./;
    const { checks: events, footer } = await runOn(checks, {
      ...targetOfReference(reference),
      settleMs: 100,
    });
    expect(footer.exitCode).toBe(0);
    expect(events.filter(({ area, verdict }) => !runWideAreas.has(area) && verdict !== 'passed')).toEqual([]);
    expect(footer.footprint.longestChain).toBeLessThan(120);
  });
});
