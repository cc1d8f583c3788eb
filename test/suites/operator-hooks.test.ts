import { runWideAreas } from '../../harness/judging/run-wide-checks.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { allChecks } from '../../suites/index.ts';
import { findingsOf, runAgainst } from './run-suite.ts';

/** The checks for which the operator sets a limit. */
const limits = allChecks.filter(({ needs }) => needs.includes('limit-hook'));
const renames = allChecks.filter(({ needs }) => needs.includes('rename-hook'));

describe('what the operator changes', () => {
  it.each([
    ['with and without a limit', () => true],
    ['under a limit too, beside its 429', (count: number) => count % 4 === 0],
  ])('is no limit where requests at one time are answered with 500 %s', async (_when, isBusy) => {
    let [inFlight, met] = [0, 0];
    const run = await runAgainst(limits, {
      // Whoever asks while somebody else is asking meets a locked database.
      answer: async (answer, { route, actor }) => {
        if (route !== 'mentions' || actor === null) return undefined;
        inFlight += 1;
        const isAlone = inFlight === 1;
        await sleep(20);
        inFlight -= 1;
        met += isAlone ? 0 : 1;
        const body = { error: { code: 'internal', message: 'database is locked' } };
        return !isAlone && isBusy(met) ? { ...answer, status: 500, headers: {}, body } : undefined;
      },
    });
    expect(met).toBeGreaterThan(5);
    expect(findingsOf(run).filter((finding) => finding.includes('limit'))).toEqual([]);
    const reasons = run.checks.flatMap(({ clauses }) => clauses.flatMap(({ reason }) => reason ?? []));
    expect(reasons.join()).toContain('without a limit are not all answered either: status 500');
  });

  it('is not asked of a server whose hooks do nothing', async () => {
    const nothing = { call: () => Promise.resolve({}) };
    const run = await runAgainst(
      [...limits, ...renames],
      {},
      {
        target: ({ hooks, ...target }) => ({
          ...target,
          settleMs: 60,
          hooks: { ...hooks, rename: nothing, limit: nothing },
        }),
      },
    );
    expect(findingsOf(run)).toEqual([]);
    const open = run.checks.filter(({ area }) => !runWideAreas.has(area)).map(({ verdict }) => verdict);
    expect(open).toEqual(open.map(() => 'inconclusive'));
    expect(open.length).toBeGreaterThan(3);
  });
});
