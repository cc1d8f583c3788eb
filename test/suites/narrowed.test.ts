import { describe, expect, it } from 'vitest';
import { askedFor } from '../../harness/gate/asked.ts';
import { selectChecks } from '../../harness/gate/select-checks.ts';
import { readStream, writeEvent } from '../../harness/results/stream.ts';
import { contractRules } from '../../reference/index.ts';
import { allChecks } from '../../suites/index.ts';
import { findingsOf, runAgainst, type ReferenceOptions } from './run-suite.ts';

function narrowed(check: string, options: ReferenceOptions = {}) {
  const selection = { checks: [check], clauses: [], areas: [] };
  const taken = selectChecks(allChecks, selection);
  const asked = askedFor({ all: allChecks, taken }, selection);
  if (asked === undefined) throw new Error('nothing is asked for');
  return runAgainst(taken, options, { profile: { selection: [check] }, asked });
}

describe('a run of one check', () => {
  it('counts that check and its clauses, and nothing beside them', async () => {
    const run = await narrowed('send.content-with-the-nul-character-is-refused');
    expect(run.checks.map(({ check }) => check)).toEqual(['send.content-with-the-nul-character-is-refused']);
    const { checks, clauses, exitCode } = run.footer;
    expect(checks).toEqual({ passed: 1, failed: 0, warned: 0, inconclusive: 0 });
    expect(clauses.must.passed).toBe(2);
    expect(clauses.must.inconclusive + clauses.inferred.inconclusive).toBe(0);
    expect(exitCode).toBe(0);
    const { header, isWhole } = await readStream(run.events.map(writeEvent));
    expect([header.checks, isWhole]).toEqual([1, true]);
  });

  it('shows and counts what the wire found broken in its answers', async () => {
    const presentMessage = (message: object): object => ({ ...message, size_bytes: 0 });
    const rules = { presentMessage } as unknown as typeof contractRules;
    const run = await narrowed('send.content-with-the-nul-character-is-refused', { rules });
    expect(findingsOf(run)).toContain('message.size-bytes.min failed');
    expect(
      run.checks.find(({ check }) => check === 'wire.message')?.clauses.map(({ clause }) => clause),
    ).toEqual(['message.size-bytes.min']);
    expect(run.footer.clauses.must.failed).toBeGreaterThan(0);
    expect(run.footer.exitCode).toBe(1);
  });
});
