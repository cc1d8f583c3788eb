import { describe, expect, it } from 'vitest';
import { findingsOf } from '../run-suite.ts';
import type { SuiteRun } from '../run-suite.ts';
import { brokenServers } from './broken-servers.ts';
import type { BrokenServer } from './broken-servers.ts';
import { channelReadChecks, runBeside, shortChecks } from './run-beside.ts';

/** Short, so that dozens of servers are tried in seconds; the reference shows at once what it accepts. */
const settleMs = 80;
describe('a server that breaks one rule', () => {
  it.each(brokenServers)('is found by it alone: $name', async (server) => {
    const found = findingsOf(await runAgainstBroken(server));
    expect(found.filter((finding) => server.mayAlso?.includes(finding) !== true)).toEqual(server.findings);
  });

  it('exists for every check of channel reads', () => {
    const clauses = new Set(
      brokenServers.flatMap(({ findings }) => findings.map((finding) => finding.split(' ')[0])),
    );
    const unproved = channelReadChecks.filter(
      (check) => !check.clauses.some((clause) => clauses.has(clause)),
    );
    expect(unproved.map(({ id }) => id)).toEqual([]);
  });
});

function runAgainstBroken({ options, only, foreign }: BrokenServer): Promise<SuiteRun> {
  const all = only === undefined ? shortChecks : channelReadChecks;
  const checks = typeof only === 'object' ? all.filter(({ id }) => only.includes(id)) : all;
  return runBeside(foreign, checks, options(), { settleMs });
}
