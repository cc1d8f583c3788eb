import { runWideAreas } from '../../harness/judging/run-wide-checks.ts';
import { describe, expect, it } from 'vitest';
import { areaOf } from '../../harness/check/check.ts';
import type { RunOptions } from '../../harness/run/run-checks.ts';
import { allChecks } from '../../suites/index.ts';
import { errorOf, startAilingServer, type Fate } from './ailing-server.ts';
import { findingsOf, runOn, type SuiteRun } from './run-suite.ts';

type FateOf = Parameters<typeof startAilingServer>[0];

/** Enough checks for a run that lasts, and none that has to be alone. */
const checks = allChecks.filter(
  (check) => ['population', 'send', 'channel-read', 'mentions'].includes(areaOf(check)) && !check.isExclusive,
);

async function runAgainstAiling(fateOf: FateOf, options: Partial<RunOptions> = {}): Promise<SuiteRun> {
  await using server = await startAilingServer(fateOf);
  return await runOn(checks, server.target, options);
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
      /^after [0-9.]+ s of the run, .* as \S+: no connection .*; [1-9][0-9]* of [0-9]+ must clauses .* stayed inconclusive$/,
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

  it('has lost what is behind it, and fails at all that it served, ends with exit 3 and says so', async () => {
    const failing: FateOf = (number, { headers }) =>
      number > 300 && headers.authorization !== undefined ? errorOf(500, 'something went wrong') : 'pass';
    const { footer, findings } = await runAgainstAiling(failing);
    expect(findings.map(({ clause, actual }) => `${clause} ${actual}`)).toEqual([]);
    expect([footer.exitCode, footer.end]).toEqual([3, 'interrupted']);
    expect(footer.reason).toMatch(/status 500, and 6 more lost; [1-9]/);
    expect(footer.durationMs - (footer.trouble?.atMs ?? 0)).toBeLessThan(20_000);
  }, 60_000);

  it.each([
    ['points elsewhere', { status: 302, body: null, headers: { location: 'https://login.example/' } }, 302],
    ['shows a page', { status: 200, body: '<p>back soon', headers: { 'content-type': 'text/html' } }, 200],
  ])(
    '%s for everything from some time on ends with exit 3 and says so',
    async (_, given, status) => {
      const { footer, findings } = await runAgainstAiling(from(300, given));
      expect(findings.map(({ clause, actual }) => `${clause} ${actual}`)).toEqual([]);
      expect(footer.exitCode).toBe(3);
      expect(footer.reason).toMatch(new RegExp(`as \\S+: status ${status}`));
    },
    60_000,
  );

  it('forgets one credential ends with exit 3 and names it, whatever the others showed', async () => {
    await using server = await startAilingServer((number, { headers }) =>
      number > 300 && headers.authorization === `Bearer ${server.target.roles.peer?.token}`
        ? {
            ...errorOf(401, 'who is that?'),
            headers: { 'www-authenticate': 'Bearer' },
          }
        : 'pass',
    );
    const { footer, findings } = await runOn(checks, server.target);
    expect(findings.map(({ clause, actual }) => `${clause} ${actual}`)).toEqual([]);
    expect([footer.exitCode, footer.end]).toEqual([3, 'complete']);
    expect(footer.trouble?.text).toMatch(/GET \/v0\/mentions as peer: status 401/);
  }, 60_000);

  it('restarts without its data never ends with exit 0 and says so', async () => {
    const { footer } = await runAgainstAiling(from(300, 'forget'));
    expect([1, 3]).toContain(footer.exitCode);
    expect(footer.trouble?.text).toMatch(/after .* s of the run, .*: status 401/);
  }, 60_000);

  it('loses its messages but no credential never ends with exit 0 and says so', async () => {
    let isLost = false;
    const { footer } = await runAgainstAiling((number) => {
      // By then most was sent, and some of it read.
      if (number !== 320) return 'pass';
      isLost = true;
      return 'lose';
    });
    expect(isLost).toBe(true);
    expect([1, 3]).toContain(footer.exitCode);
    // A run that is over by then has nothing left to be cut short.
    expect(footer.trouble?.text).toMatch(
      /^after [0-9.]+ s of the run, the channel lost messages: its watermark was [0-9]+ and is [0-9]+, and message [0-9]+ is gone/,
    );
  }, 60_000);

  it.each([
    ['for an hour', '3600', 12_000],
    ['again and again', '1', 25_000],
  ])(
    'limits everything %s from some time on ends with exit 3 and says so',
    async (_, seconds, withinMs) => {
      const refusal = { ...errorOf(429, 'too many'), headers: { 'retry-after': seconds } };
      const { footer, findings } = await runAgainstAiling(from(300, refusal), { limitPatienceMs: 4_000 });
      expect(findings.map(({ clause, actual }) => `${clause} ${actual}`)).toEqual([]);
      expect([footer.exitCode, footer.end]).toEqual([3, 'interrupted']);
      expect(footer.reason).toMatch(
        /^after [0-9.]+ s of the run, GET \/v0\/\S+ as \S+: status 429, and nothing gets through this limit any more.*; [1-9][0-9]* of [0-9]+ must clauses .* stayed inconclusive$/,
      );
      expect(footer.durationMs - (footer.trouble?.atMs ?? 0)).toBeLessThan(withinMs);
    },
    60_000,
  );

  it('lets nothing in for seconds is asked for hardly anything meanwhile, and nothing is left open', async () => {
    const refusal = { ...errorOf(429, 'too many'), headers: { 'retry-after': '7' } };
    let sinceMs: number | undefined;
    let asked = 0;
    const { footer, findings } = await runAgainstAiling((number) => {
      if (number > 300) sinceMs ??= performance.now();
      const passedMs = sinceMs === undefined ? 0 : performance.now() - sinceMs;
      if (passedMs > 1_500 && passedMs < 6_500) asked += 1;
      return passedMs > 0 && passedMs < 6_500 ? refusal : 'pass';
    });
    expect(findings.map(({ clause, actual }) => `${clause} ${actual}`)).toEqual([]);
    expect(asked).toBeLessThan(5);
    expect(footer.exitCode).toBe(0);
  }, 90_000);

  it('refuses every fifth request with a 429 fails nothing, leaves nothing open and takes no minute', async () => {
    const refusal = { ...errorOf(429, 'busy'), headers: { 'retry-after': '0' } };
    const {
      footer,
      findings,
      checks: events,
    } = await runAgainstAiling((n) => (n % 5 === 0 ? refusal : 'pass'));
    expect(findings.map(({ clause, actual }) => `${clause} ${actual}`)).toEqual([]);
    const open = events.filter(({ verdict, area }) => verdict !== 'passed' && !runWideAreas.has(area));
    expect(open.map(({ check, clauses }) => [check, clauses[0]?.reason])).toEqual([]);
    expect(footer.durationMs).toBeLessThan(40_000);
  }, 90_000);

  it.each([
    ['without Retry-After', {}, 'errors.retry-after-present failed'],
    ['with a Retry-After that is no count', { 'retry-after': '0.2' }, 'errors.retry-after-is-a-count failed'],
  ])(
    'refuses some requests %s fails for that, though each is let in later',
    async (_, headers, wanted) => {
      const refusal = { ...errorOf(429, 'busy'), headers };
      const run = await runAgainstAiling((n) => (n > 60 && n % 30 === 0 ? refusal : 'pass'));
      expect(findingsOf(run)).toEqual([wanted]);
      expect(run.footer.exitCode).toBe(1);
    },
    60_000,
  );

  it('answers 500 to reads of some messages fails for that, within the time of a good run or two', async () => {
    const { checks: events, ...run } = await runAgainstAiling((number, { method, url = '' }) =>
      number > 300 && method === 'GET' && /channels\/[^/]*\/messages\?after=[0-9]*[02468]&/.test(url)
        ? errorOf(500, 'cannot decode row')
        : 'pass',
    );
    expect(run.footer.exitCode).toBe(1);
    expect(findingsOf({ checks: events, ...run })).toContain('service.valid-requests-are-served failed');
  }, 120_000);

  it('answers 500 now and then is told so: failed for the call whose statuses are listed, warned for another', async () => {
    let reads = 0;
    const run = await runAgainstAiling((number, { method }) => {
      if (number > 40 && method === 'GET') reads += 1;
      return reads % 15 === 14 ? errorOf(500, 'hiccup') : 'pass';
    });
    expect(findingsOf(run)).toEqual(
      expect.arrayContaining([
        'mentions.error-statuses failed',
        'service.served-requests-stay-served warned',
      ]),
    );
    const told = run.findings.find(({ clause }) => clause === 'service.served-requests-stay-served');
    expect(told?.actual).toMatch(/^status 500 to [0-9]+ of [0-9,]+ requests \(.*channel-read.*\), the first/);
    expect(told?.seen.times).toBeGreaterThan(1);
    expect(run.footer.exitCode).toBe(1);
  }, 120_000);

  it('answers 500 in one bad moment fails nothing', async () => {
    let began = 0;
    const { findings } = await runAgainstAiling((number, { method }) => {
      if (number > 300 && method === 'GET' && began === 0) began = performance.now();
      return began > 0 && performance.now() - began < 200 ? errorOf(500, 'hiccup') : 'pass';
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
    const open = events.filter(({ verdict, area }) => verdict !== 'passed' && !runWideAreas.has(area));
    expect(open.map(({ check, clauses }) => [check, clauses[0]?.reason])).toEqual([]);
    expect(footer.exitCode).toBe(0);
  }, 60_000);
});
