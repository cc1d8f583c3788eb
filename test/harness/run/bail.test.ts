import { describe, expect, it } from 'vitest';
import { check, type Check } from '../../../harness/check/check.ts';
import { runAgainst } from '../../suites/run-suite.ts';

const clause = 'mentions.status-is-200';

function listed(id: string, holds: boolean): Check {
  return check(
    `mentions.${id}`,
    { title: 'is kept', clauses: [clause], needs: ['author'] },
    async ({ author, expect: judge }) => {
      const exchange = await author.mentions({ limit: 7 });
      judge.holds(clause, holds, { expected: 'it is there', actual: id }, exchange);
    },
  );
}

const checks = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => listed(id, id !== 'b' && id !== 'd'));

async function ended(bail: number | undefined, concurrency = 1) {
  const options = bail === undefined ? { concurrency } : { concurrency, bail };
  const { events, footer } = await runAgainst(checks, {}, options);
  const told = events.flatMap((event) => (event.type === 'check' ? event.check : [])).toSorted();
  return { told: told.map((id) => id.replace('mentions.', '')), footer };
}

describe('a run that is to bail', () => {
  it('begins no more checks once one has failed', async () => {
    const { told, footer } = await ended(1);
    expect(told).toEqual(['a', 'b']);
    expect(footer).toMatchObject({
      end: 'bailed',
      exitCode: 1,
      reason: '--bail 1: 1 check failed',
      checks: { passed: 1, failed: 1, inconclusive: 0 },
    });
  });

  it('counts as inconclusive no clause that it did not come to', async () => {
    const { must, inferred, silent } = (await ended(1)).footer.clauses;
    expect(must.failed).toBeGreaterThan(0);
    expect([must.inconclusive, inferred.inconclusive, silent]).toEqual([0, 0, 0]);
  });

  it('bears as many failures as it was told, and waits for what is under way', async () => {
    expect((await ended(2)).told).toEqual(['a', 'b', 'c', 'd']);
    expect((await ended(1, 6)).told).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  });

  it('goes to its end where fewer fail', async () => {
    const { told, footer } = await ended(3);
    expect(told).toEqual(expect.arrayContaining(['a', 'f']));
    expect(footer.end).toBe('complete');
  });
});
