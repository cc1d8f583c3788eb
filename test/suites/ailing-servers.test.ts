import { describe, expect, it } from 'vitest';
import { areaOf } from '../../harness/engine/check.ts';
import { allChecks } from '../../suites/index.ts';
import { errorOf, startAilingServer } from './ailing-server.ts';
import type { Fate } from './ailing-server.ts';
import { findingsOf, runOn } from './run-suite.ts';
import type { SuiteRun } from './run-suite.ts';

type FateOf = Parameters<typeof startAilingServer>[0];

/** Enough checks for a run that lasts, and none that has to be alone. */
const checks = allChecks.filter(
  (check) => ['send', 'channel-read', 'mentions'].includes(areaOf(check)) && !check.isExclusive,
);

async function runAgainstAiling(fateOf: FateOf, which = checks): Promise<SuiteRun> {
  const server = await startAilingServer(fateOf);
  try {
    return await runOn(which, server.target);
  } finally {
    await server.close();
  }
}

/** One fate for all requests after the first so many. */
function from(count: number, fate: Fate): FateOf {
  return (number) => (number > count ? fate : 'pass');
}

describe('a run against a server that', () => {
  it('dies in the middle ends with exit 3 within seconds and says when', async () => {
    const { footer, findings } = await runAgainstAiling(from(300, 'die'));
    expect(findings).toEqual([]);
    expect([footer.exitCode, footer.end]).toEqual([3, 'interrupted']);
    expect(footer.reason).toMatch(
      /^after [0-9.]+ s of the run, .* as \S+: no connection .*; [1-9][0-9]* of [0-9]+ must clauses .* stayed open$/,
    );
    // Most of what is left after the end would otherwise take as long as the limits of the client.
    expect(footer.durationMs - (footer.trouble?.atMs ?? 0)).toBeLessThan(20_000);
  }, 60_000);

  it('falls silent ends with exit 3 within seconds and says so', async () => {
    const { footer, findings } = await runAgainstAiling(from(300, 'hang'));
    expect(findings).toEqual([]);
    expect(footer.exitCode).toBe(3);
    expect(footer.reason).toMatch(/no answer in time/);
    expect(footer.durationMs - (footer.trouble?.atMs ?? 0)).toBeLessThan(30_000);
  }, 60_000);

  it('drops every connection from some time on ends with exit 3 and says so', async () => {
    const { footer, findings } = await runAgainstAiling(from(300, 'reset'));
    expect(findings.map(({ clause, actual }) => `${clause} ${actual}`)).toEqual([]);
    expect(footer.exitCode).toBe(3);
    expect(footer.reason).toMatch(/connection reset/);
  }, 60_000);

  it('refuses the credentials from some time on ends with exit 3 and says so', async () => {
    const refusal = {
      ...errorOf(401, 'who is that?'),
      headers: { 'www-authenticate': 'Bearer' },
    };
    const { footer, findings } = await runAgainstAiling(from(300, refusal));
    expect(findings.map(({ clause, actual }) => `${clause} ${actual}`)).toEqual([]);
    expect(footer.exitCode).toBe(3);
    expect(footer.reason).toMatch(/as \S+: status 401/);
  }, 60_000);

  it('forgets one credential ends with exit 3 and names it, whatever the others showed', async () => {
    const server = await startAilingServer((number, { headers }) =>
      number > 300 && headers.authorization === `Bearer ${server.target.roles.peer?.token}`
        ? {
            ...errorOf(401, 'who is that?'),
            headers: { 'www-authenticate': 'Bearer' },
          }
        : 'pass',
    );
    const { footer, findings } = await runOn(checks, server.target);
    await server.close();
    expect(findings.map(({ clause, actual }) => `${clause} ${actual}`)).toEqual([]);
    expect([footer.exitCode, footer.end]).toEqual([3, 'complete']);
    expect(footer.trouble?.text).toMatch(/GET \/v0\/mentions as peer: status 401/);
  }, 60_000);

  it('restarts without its data never ends with exit 0 and says so', async () => {
    const { footer } = await runAgainstAiling(from(300, 'forget'));
    expect([1, 3]).toContain(footer.exitCode);
    expect(footer.trouble?.text).toMatch(/after .* s of the run, .*: status 401/);
  }, 60_000);

  it('answers 500 to reads of some messages fails for that, within the time of a good run or two', async () => {
    const { checks: events, ...run } = await runAgainstAiling((number, { method, url = '' }) =>
      number > 300 && method === 'GET' && /channels\/[^/]*\/messages\?after=[0-9]*[02468]&/.test(url)
        ? errorOf(500, 'cannot decode row')
        : 'pass',
    );
    expect(run.footer.exitCode).toBe(1);
    expect(findingsOf({ checks: events, ...run })).toContain('service.valid-requests-are-served failed');
  }, 120_000);

  it('answers 500 now and then fails nothing', async () => {
    let reads = 0;
    const { findings } = await runAgainstAiling((number, { method }) => {
      if (number > 40 && method === 'GET') reads += 1;
      return reads % 15 === 14 ? errorOf(500, 'hiccup') : 'pass';
    });
    expect(findings.map(({ clause, actual }) => `${clause} ${actual}`)).toEqual([]);
  }, 120_000);

  it('is away for a second fails nothing and leaves nothing open', async () => {
    let away: number | undefined;
    const {
      footer,
      findings,
      checks: events,
    } = await runAgainstAiling((number) => {
      if (number > 300) away ??= performance.now();
      return away !== undefined && performance.now() - away < 1_000 ? 'reset' : 'pass';
    });
    expect(findings.map(({ clause, actual }) => `${clause} ${actual}`)).toEqual([]);
    const open = events.filter(({ verdict, area }) => verdict !== 'passed' && area !== 'wire');
    expect(open.map(({ check, clauses }) => [check, clauses[0]?.reason])).toEqual([]);
    expect(footer.exitCode).toBe(0);
  }, 60_000);
});
