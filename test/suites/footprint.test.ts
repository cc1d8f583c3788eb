import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { packageFile } from '../../spec/index.ts';
import { allChecks } from '../../suites/index.ts';
import { runAgainst } from './run-suite.ts';

/** What a run away from loopback may write where nothing else is said. */
const maxBytes = 5_000_000;
/** What the README says of the messages of such a run. */
const mostMessages = 550;

describe('a run with the limits of a far server', () => {
  it('writes less than 5 MB and as few messages as the README says, and says how many requests followed one another', async () => {
    const run = await runAgainst(
      allChecks,
      {},
      { target: (target) => ({ ...target, hooks: {}, limits: { ...target.limits, maxBytes } }) },
    );
    expect(run.footer.exitCode).toBe(0);
    expect(run.footer.footprint.bytesWritten).toBeLessThan(maxBytes);
    expect(run.footer.footprint.messages).toBeLessThan(mostMessages);
    expect(readFileSync(packageFile('README.md'), 'utf8')).toContain(`fewer than ${mostMessages} messages`);
    expect(run.footer.footprint.longestChain).toBeGreaterThan(5);
    const withheld = run.checks.filter(({ clauses }) =>
      clauses.some(({ reason }) => reason?.includes('withheld') === true),
    );
    expect(withheld.map(({ check }) => check)).toEqual([]);
  }, 60_000);
});
