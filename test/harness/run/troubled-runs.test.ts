import { describe, expect, it } from 'vitest';
import type { Check } from '../../../harness/check/check.ts';
import { isAccepted } from '../../../harness/client/exchange.ts';
import { unmet } from '../../../harness/verdict/outcome.ts';
import { KnownSecrets } from '../../../harness/output/known-secrets.ts';
import { TroubleTally } from '../../../harness/run/trouble-tally.ts';
import { checkOf } from '../../fixtures/check.ts';
import { exchangeOf, requestOf } from '../../fixtures/exchange.ts';
import { errorOf, runThrough, startAilingServer } from '../../suites/ailing-server.ts';
import { checksOf, findingsOf, notPassed, runOn, type SuiteRun } from '../../suites/run-suite.ts';

const needs = ['author', 'channel'] as const;

const endOf = ({ checks }: SuiteRun, id: string) => checks.find((each) => each.check === id);

describe('an answer that is lost on the way', () => {
  const clause = 'page.has-more-while-items-remain';

  /** Holds the answer to one read against what must be there, which is reset in the first so many attempts. */
  function losing(attempts: number, isEvidence: boolean, others: readonly Check[] = []): Promise<SuiteRun> {
    let runs = 0;
    const facts = { clauses: [clause], needs } as const;
    const reading = checkOf('page.lone', facts, async ({ author, channel, expect: judge }) => {
      runs += 1;
      const read = await author.readChannel(channel.id, { after: 0, limit: 7 });
      const problem = { expected: 'messages', actual: 'none' };
      judge.holds(clause, read.response?.json !== undefined, problem, ...(isEvidence ? [read] : []));
    });
    const isLost = (url: string): boolean => url.includes('limit=7') && runs <= attempts;
    return runThrough((_, { url = '' }) => (isLost(url) ? 'reset' : 'pass'), [...others, reading]);
  }

  it.each([true, false])('fails nothing that passes when it comes (as evidence: %s)', async (isEvidence) => {
    const run = await losing(1, isEvidence);
    expect(findingsOf(run)).toEqual([]);
    expect(endOf(run, 'page.lone')).toMatchObject({ verdict: 'passed', attempts: 2 });
  });

  it('fails nothing that does not rest on it, though it never comes', async () => {
    const run = await losing(99, false);
    expect(findingsOf(run)).toEqual([]);
    expect(endOf(run, 'page.lone')?.verdict).toBe('inconclusive');
  });

  it('is what fails where it never comes, beside others that do', async () => {
    const answered = checksOf(/^(?:channels-list|overview|mentions\.limit)/);
    expect(findingsOf(await losing(99, true, answered))).toEqual([`${clause} failed`]);
  });
});

it('a run that ends before its server has answered says nothing of it', async () => {
  await using server = await startAilingServer(() => 'hang');
  const run = await runOn([checkOf('mentions.lone')], server.target, { signal: AbortSignal.timeout(300) });
  expect(run.preflight).toBeUndefined();
  expect(run.footer).toMatchObject({ end: 'interrupted', exitCode: 130 });
});

it('a credential that ends in mid-run breaks no clause about it', async () => {
  let hasEnded = false;
  const facts = { needs: [...needs, 'api-key'], clauses: ['auth.api-key-accepted'] } as const;
  const opening = checkOf('auth.lone', facts, async ({ apiKey, expect: judge }) => {
    hasEnded = true;
    judge('auth.api-key-accepted', await apiKey.mentions()).toBeAccepted();
  });
  const refusal = { ...errorOf(401, 'who is that?'), headers: { 'www-authenticate': 'Bearer' } };
  await using server = await startAilingServer((_, { headers }) =>
    hasEnded && headers.authorization === `Bearer ${server.target.roles['api-key']?.token}`
      ? refusal
      : 'pass',
  );
  const run = await runOn([opening], server.target);
  expect(findingsOf(run)).toEqual([]);
  expect(endOf(run, 'auth.lone')).toMatchObject({
    verdict: 'inconclusive',
    clauses: [{ trouble: 'credential-refused' }],
  });
  expect(run.footer).toMatchObject({ end: 'complete', exitCode: 3 });
  expect(run.footer.trouble?.text).toMatch(/as api-key: status 401/);
}, 30_000);

it('a run that lost its server once all was decided says no more than that', () => {
  const losses = [{ atMs: 1_500, text: 'no connection', exchange: exchangeOf(requestOf({})) }];
  const evidence = { secrets: new KnownSecrets(), runId: 'cf', baseUrl: 'http://127.0.0.1:1' };
  const facts = { enabled: [], events: [], losses, isCutShort: true, evidence };
  expect(new TroubleTally().resultOf(facts)?.text).toBe('after 1.5 s of the run, no connection');
});

it.each([
  ['interruption', { isInterrupted: true }],
  ['time limit', { budgetMs: 1_500 }],
] as const)(
  'a history says of a run that it was its %s that ended it, where checks were at work',
  async (detail, end) => {
    await using server = await startAilingServer(() => 'pass');
    const interrupting = new AbortController();
    const deaf = checkOf('mentions.deaf', { needs }, async ({ author, expect: judge }) => {
      const seen = await author.mentions();
      judge.holds('send.content-bytes', true, { expected: 'x', actual: 'y' }, seen);
      if ('isInterrupted' in end) interrupting.abort();
      await new Promise(() => {});
    });
    const lines: string[] = [];
    const target = { ...server.target, ...('budgetMs' in end ? { budgetMs: end.budgetMs } : {}) };
    await runOn([deaf], target, {
      signal: interrupting.signal,
      onHistoryLines: (text) => lines.push(text),
    });
    const kept = lines
      .join('')
      .split('\n')
      .filter((line) => line.includes('"lost"'));
    expect(kept.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { change: 'lost', startedMs: 0, detail },
    ]);
  },
  30_000,
);

describe('what was surely seen broken before a run was cut short', () => {
  it('is told of a check that was to be run again alone', async () => {
    const stopping = new AbortController();
    let attempts = 0;
    const lone = checkOf('mentions.lone', { needs }, async ({ author, expect: judge }) => {
      attempts += 1;
      const seen = await author.mentions();
      if (attempts === 1) judge.holds('send.content-bytes', false, { expected: 'x', actual: 'y' }, seen);
      if (attempts > 2) stopping.abort();
      await new Promise(() => {});
    });
    const run = await runThrough(() => 'pass', [lone], { checkTimeoutMs: 300, signal: stopping.signal });
    expect(attempts).toBe(3);
    expect(findingsOf(run)).toEqual(['send.content-bytes failed']);
    expect(run.footer).toMatchObject({ end: 'interrupted', checks: { failed: 1 } });
  });

  it('decides the exit code, though the server had shown no message yet', async () => {
    const facts = { needs, clauses: ['mentions.ascending', 'send.content-bytes'] } as const;
    const broken = checkOf('send.lone', facts, async ({ author, channel, draft, expect: judge }) => {
      const sent = await author.send(channel.id, draft().text);
      judge.holds('mentions.ascending', true, { expected: 'x', actual: 'y' }, sent);
      judge.holds('send.content-bytes', false, { expected: 'x', actual: 'y' }, sent);
    });
    const deaf = checkOf('mentions.deaf', { needs }, () => new Promise(() => {}));
    await using server = await startAilingServer(() => 'pass');
    const run = await runOn([broken, deaf], { ...server.target, budgetMs: 2_500 });
    expect(findingsOf(run)).toEqual(['send.content-bytes failed']);
    expect(run.footer).toMatchObject({ end: 'interrupted', exitCode: 1 });
  });
});

it('a write that is made again after trouble on the way leaves no failure that may come of it, and counts as it is in the history', async () => {
  let sends = 0;
  const sending = checkOf('send.lone', { needs }, async ({ author, channel, draft, expect: judge }) => {
    const before = sends;
    const hello = draft();
    const sent = await author.send(channel.id, hello.text);
    await channel.arrival(hello);
    const problem = { expected: 'one send', actual: 'more' };
    judge.holds('send.content-bytes', sends === before + 1, problem, sent);
  });
  const lines: string[] = [];
  const run = await runThrough(
    (_, { method }) => (method === 'POST' && (sends += 1) === 1 ? 'reset' : 'pass'),
    [sending],
    { onHistoryLines: (text) => lines.push(text) },
  );
  expect(findingsOf(run)).toEqual([]);
  expect(notPassed(run)).toEqual([]);
  expect(endOf(run, 'send.lone')?.attempts).toBe(2);
  const kept = lines
    .join('')
    .split('\n')
    .filter((line) => line.includes('"send"'));
  expect(kept.map((line) => /indeterminate|accepted/.exec(line)?.[0])).toEqual([
    'indeterminate',
    'accepted',
    'accepted',
  ]);
});

it('checks that share what trouble kept one of them from making are all heard again, also those that only waited for it', async () => {
  // They say no more than that it is not there when it could not be made.
  const looking = ['one', 'two', 'three'].map((name) =>
    checkOf(`mentions.${name}`, { needs }, async ({ author, shared, expect: judge }) => {
      const made = await shared('thing', async () => {
        const seen = await author.mentions({ limit: 7 });
        return isAccepted(seen) ? seen : unmet('there is no thing');
      });
      judge.holds('send.content-bytes', true, { expected: 'it is there', actual: 'it is not' }, made);
    }),
  );
  let met = 0;
  const run = await runThrough(
    (_, { url = '' }) => (url.includes('limit=7') && (met += 1) <= 3 ? 'reset' : 'pass'),
    looking,
  );
  expect(met).toBeGreaterThan(3);
  expect(notPassed(run)).toEqual([]);
});
