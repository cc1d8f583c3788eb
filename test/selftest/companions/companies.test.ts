import { describe, expect, it } from 'vitest';
import { companies } from '../../../selftest/companions/companies.ts';
import { judgeVariant } from '../../../selftest/run/judge-variant.ts';
import { observeHere } from '../../../selftest/run/observe.ts';
import { shareOf } from '../../../selftest/run/sample.ts';
import { companyServers } from '../../../selftest/servers/company-server.ts';
import { allChecks } from '../../../suites/index.ts';

describe('the companies', () => {
  it('are slugs, each once, thirty or more', () => {
    const ids = companies.map(({ id }) => id);
    expect(ids.length).toBeGreaterThanOrEqual(30);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(id))).toEqual([]);
  });

  // Of the others `npm run selftest` takes every one.
  it('are no reason to hold anything against a server', { timeout: 120_000 }, async () => {
    const id = 'company three-at-once';
    const server = companyServers.find((each) => each.id === id);
    expect(server).toBeDefined();
    if (server === undefined) return;
    const checks = shareOf(allChecks, 12, id);
    const { alarms } = await judgeVariant(server, checks, { observe: observeHere, isShare: true });
    expect(alarms).toEqual([]);
  });
});
