import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { targetOfReference } from '../../embedded/reference-hooks.ts';
import { areaOf, isLarge } from '../../harness/check/check.ts';
import type { Target } from '../../harness/config/target.ts';
import { startReference, type Reference } from '../../reference/index.ts';
import { packageFile } from '../../spec/index.ts';
import { allChecks } from '../../suites/index.ts';
import { findingsOf, runOn } from './run-suite.ts';

/** What a run away from loopback may write where nothing else is said. */
const maxBytes = 5_000_000;
/** What the README says of the messages of such a run. */
const mostMessages = 550;

describe('a server that keeps all that was ever sent to it', () => {
  let reference: Reference;
  let target: Target;
  beforeAll(async () => {
    reference = await startReference();
    target = targetOfReference(reference);
  });
  afterAll(() => reference.close());

  it('is told the same by two runs at once that have the same credentials', async () => {
    // What they share is told by marker, or by texts of one byte that both of them send.
    const checks = allChecks.filter((check) => areaOf(check) === 'population' && !isLarge(check));
    const both = await Promise.all([runOn(checks, target), runOn(checks, target)]);
    expect(both.map(findingsOf)).toEqual([[], []]);
    expect(both.map(({ footer }) => footer.exitCode)).toEqual([0, 0]);
  }, 120_000);

  it('is told that it is good by a run with the limits of a far server, which writes as little as the README says', async () => {
    const far = { ...target, hooks: {}, limits: { ...target.limits, maxBytes } };
    const { footer, checks } = await runOn(allChecks, far);
    expect(footer.exitCode).toBe(0);
    expect(footer.footprint.bytesWritten).toBeLessThan(maxBytes);
    expect(footer.footprint.messages).toBeLessThan(mostMessages);
    expect(readFileSync(packageFile('README.md'), 'utf8')).toContain(`fewer than ${mostMessages} messages`);
    expect(footer.footprint.longestChain).toBeGreaterThan(5);
    const withheld = checks.filter(({ clauses }) =>
      clauses.some(({ reason }) => reason?.includes('withheld') === true),
    );
    expect(withheld.map(({ check }) => check)).toEqual([]);
  });
});
