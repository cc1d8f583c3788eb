import { describe, expect, it } from 'vitest';
import { areaOf } from '../../harness/check/check.ts';
import type { RunOptions } from '../../harness/run/run-checks.ts';
import { allChecks } from '../../suites/index.ts';
import { errorOf, type Fate, type FateOf, runThrough, startAilingServer } from './ailing-server.ts';
import { findingsOf, notPassed, runOn, type SuiteRun } from './run-suite.ts';

/** Enough checks for a run that lasts, and none that has to be alone. */
const checks = allChecks.filter(
  (check) => ['population', 'send', 'channel-read', 'mentions'].includes(areaOf(check)) && !check.isExclusive,
);

function through(fateOf: FateOf, options: Partial<RunOptions> = {}): Promise<SuiteRun> {
  return runThrough(fateOf, checks, options);
}

/** What a run found, in the words of its findings. */
function told({ findings }: SuiteRun): readonly string[] {
  return findings.map(({ clause, actual }) => `${clause} ${actual}`);
}

/** One fate for all requests after the first so many. */
function from(count: number, fate: Fate): FateOf {
  return (number) => (number > count ? fate : 'pass');
}

const refusal = { ...errorOf(401, 'who is that?'), headers: { 'www-authenticate': 'Bearer' } };
const limiting = (seconds: string): Fate => ({
  ...errorOf(429, 'too many'),
  headers: { 'retry-after': seconds },
});

/** How a server ends that keeps the contract until then, and what a run says of that. */
interface End {
  readonly what: string;
  readonly fate: FateOf;
  readonly reason: RegExp;
  readonly end?: 'interrupted';
  /** Most of what is left after the end would otherwise take as long as the limits of the client. */
  readonly withinMs?: number;
  readonly options?: Partial<RunOptions>;
}

const whole = /; [1-9][0-9]* of [0-9]+ must clauses .* stayed inconclusive$/.source;
const limited = new RegExp(
  String.raw`^after [0-9.]+ s of the run, GET \/v0\/\S+ as \S+: status 429, and nothing gets through this limit any more.*${whole}`,
);

const ends: readonly End[] = [
  {
    what: 'dies in the middle',
    fate: from(300, 'die'),
    end: 'interrupted',
    reason: new RegExp(String.raw`^after [0-9.]+ s of the run, .* as \S+: no connection .*${whole}`),
    withinMs: 20_000,
  },
  { what: 'falls silent', fate: from(300, 'hang'), reason: /no answer in time/, withinMs: 30_000 },
  { what: 'drops every connection', fate: from(300, 'reset'), reason: /connection reset/ },
  { what: 'refuses the credentials', fate: from(300, refusal), reason: /as \S+: status 401/ },
  {
    what: 'has lost what is behind it, and fails at all that it served,',
    fate: (number, { headers }) =>
      number > 300 && headers.authorization !== undefined ? errorOf(500, 'something went wrong') : 'pass',
    end: 'interrupted',
    reason: /status 500, and 6 more lost; [1-9]/,
    withinMs: 20_000,
  },
  {
    what: 'points elsewhere for everything',
    fate: from(300, { status: 302, body: null, headers: { location: 'https://login.example/' } }),
    reason: /as \S+: status 302/,
  },
  {
    what: 'shows a page for everything',
    fate: from(300, { status: 200, body: '<p>back soon', headers: { 'content-type': 'text/html' } }),
    reason: /as \S+: status 200/,
  },
  {
    what: 'limits everything for an hour',
    fate: from(300, limiting('3600')),
    end: 'interrupted',
    reason: limited,
    withinMs: 12_000,
    options: { limitPatienceMs: 4_000 },
  },
  {
    what: 'limits everything again and again',
    fate: from(300, limiting('1')),
    end: 'interrupted',
    reason: limited,
    withinMs: 25_000,
    options: { limitPatienceMs: 4_000 },
  },
];

describe('a run against a server that', () => {
  it.each(ends)(
    '$what from some time on ends with exit 3 and says so',
    async ({ fate, end, reason, withinMs = Infinity, options }) => {
      const run = await through(fate, options);
      expect(told(run)).toEqual([]);
      const { footer } = run;
      expect(footer).toMatchObject({ exitCode: 3, ...(end && { end }) });
      expect(footer.reason).toMatch(reason);
      expect(footer.durationMs - (footer.trouble?.atMs ?? 0)).toBeLessThan(withinMs);
    },
    60_000,
  );

  it('forgets one credential ends with exit 3 and names it, whatever the others showed', async () => {
    await using server = await startAilingServer((number, { headers }) =>
      number > 300 && headers.authorization === `Bearer ${server.target.roles.peer?.token}`
        ? refusal
        : 'pass',
    );
    const run = await runOn(checks, server.target);
    expect(told(run)).toEqual([]);
    expect(run.footer).toMatchObject({ exitCode: 3, end: 'complete' });
    expect(run.footer.trouble?.text).toMatch(/GET \/v0\/mentions as peer: status 401/);
  }, 60_000);

  it('restarts without its data never ends with exit 0 and says so', async () => {
    const { footer } = await through(from(300, 'forget'));
    expect([1, 3]).toContain(footer.exitCode);
    expect(footer.trouble?.text).toMatch(/after .* s of the run, .*: status 401/);
  }, 60_000);

  it('loses its messages but no credential never ends with exit 0 and says so', async () => {
    let isLost = false;
    const { footer } = await through((number) => {
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

  it('lets nothing in for seconds is asked for hardly anything meanwhile, and nothing is left open', async () => {
    let sinceMs: number | undefined;
    let asked = 0;
    const run = await through((number) => {
      if (number > 300) sinceMs ??= performance.now();
      const passedMs = sinceMs === undefined ? 0 : performance.now() - sinceMs;
      if (passedMs > 1_500 && passedMs < 6_500) asked += 1;
      return passedMs > 0 && passedMs < 6_500 ? limiting('7') : 'pass';
    });
    expect(told(run)).toEqual([]);
    expect(asked).toBeLessThan(5);
    expect(run.footer.exitCode).toBe(0);
  }, 90_000);

  it('refuses every fifth request with a 429 fails nothing, leaves nothing open and takes no minute', async () => {
    const run = await through((number) => (number % 5 === 0 ? limiting('0') : 'pass'));
    expect(told(run)).toEqual([]);
    expect(notPassed(run)).toEqual([]);
    expect(run.footer.durationMs).toBeLessThan(40_000);
  }, 90_000);

  it.each([
    ['without Retry-After', {}, 'errors.retry-after-present failed'],
    ['with a Retry-After that is no count', { 'retry-after': '0.2' }, 'errors.retry-after-is-a-count failed'],
  ])(
    'refuses some requests %s fails for that, though each is let in later',
    async (_, headers, wanted) => {
      const busy = { ...errorOf(429, 'busy'), headers };
      const run = await through((number) => (number > 60 && number % 30 === 0 ? busy : 'pass'));
      expect(findingsOf(run)).toEqual([wanted]);
      expect(run.footer.exitCode).toBe(1);
    },
    60_000,
  );

  it('answers 500 to reads of some messages fails for that, within the time of a good run or two', async () => {
    const run = await through((number, { method, url = '' }) =>
      number > 300 && method === 'GET' && /channels\/[^/]*\/messages\?after=[0-9]*[02468]&/.test(url)
        ? errorOf(500, 'cannot decode row')
        : 'pass',
    );
    expect(run.footer.exitCode).toBe(1);
    expect(findingsOf(run)).toContain('service.valid-requests-are-served failed');
  }, 120_000);

  it('answers 500 now and then is told so: failed for the call whose statuses are listed, warned for another', async () => {
    let reads = 0;
    const run = await through((number, { method }) => {
      if (number > 40 && method === 'GET') reads += 1;
      return reads % 15 === 14 ? errorOf(500, 'hiccup') : 'pass';
    });
    expect(findingsOf(run)).toEqual(
      expect.arrayContaining([
        'mentions.error-statuses failed',
        'service.served-requests-stay-served warned',
      ]),
    );
    const found = run.findings.find(({ clause }) => clause === 'service.served-requests-stay-served');
    expect(found?.actual).toMatch(
      /^status 500 to [0-9]+ of [0-9,]+ requests \(.*channel-read.*\), the first/,
    );
    expect(found?.seen.times).toBeGreaterThan(1);
    expect(run.footer.exitCode).toBe(1);
  }, 120_000);

  it('answers 500 in one bad moment fails nothing', async () => {
    let began = 0;
    const run = await through((number, { method }) => {
      if (number > 300 && method === 'GET' && began === 0) began = performance.now();
      return began > 0 && performance.now() - began < 200 ? errorOf(500, 'hiccup') : 'pass';
    });
    expect(told(run)).toEqual([]);
  }, 120_000);

  it('is away for a second fails nothing and leaves nothing open', async () => {
    let away: number | undefined;
    const run = await through((number) => {
      if (number > 300) away ??= performance.now();
      return away !== undefined && performance.now() - away < 1_000 ? 'reset' : 'pass';
    });
    expect(told(run)).toEqual([]);
    expect(notPassed(run)).toEqual([]);
    expect(run.footer.exitCode).toBe(0);
  }, 60_000);
});
