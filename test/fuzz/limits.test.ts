import { describe, expect, it, vi } from 'vitest';
import type { FuzzOutcome } from '../../fuzz/campaign/run-fuzz.ts';
import type { ReferenceOptions } from '../../reference/index.ts';
import { failureFileOf, knownFailureOf } from '../../fuzz/campaign/failure-file.ts';
import { foundBy, fuzzed, summaryOf, type CampaignWishes } from './campaigns.ts';

const body = { error: { code: 'limited', message: 'not now' } };

/** A campaign at a server that answers some requests, told by their number from 1 on, with a 429. */
function limited(
  isRefused: (count: number) => boolean,
  headers: Readonly<Record<string, string>>,
  wishes: CampaignWishes = {},
): Promise<FuzzOutcome & { readonly refusals: number }> {
  let [count, refusals] = [0, 0];
  const answer: NonNullable<ReferenceOptions['answer']> = (given) => {
    count += 1;
    if (!isRefused(count)) return given;
    refusals += 1;
    return { status: 429, headers: { 'content-type': 'application/json', ...headers }, body };
  };
  return fuzzed({}, { maxCases: 300, ...wishes }, { answer }).then((outcome) => ({ ...outcome, refusals }));
}

const everyFifth = (count: number): boolean => count % 5 === 0;

describe.concurrent('a campaign at a server that limits', () => {
  it.each(['0', '1'])(
    'every fifth request with Retry-After %s ends sooner than by waiting for each, with all its cases',
    async (retryAfter) => {
      const headers = { 'retry-after': retryAfter };
      const { result, leftOut, refusals } = await limited(everyFifth, headers, { maxCases: 100 });
      expect(result?.end).toBe('complete');
      expect(result?.inconclusive).toBe(0);
      expect(refusals).toBeGreaterThan(25);
      // A refusal of 0 is waited for as one of a second is, at most.
      expect(result?.durationMs).toBeLessThan(1_000 * refusals);
      expect(leftOut).toEqual({
        'cases of several requests': expect.stringMatching(/^\d+ were not sent while requests were limited$/),
      });
      expect(result?.findings).toEqual([]);
    },
    120_000,
  );

  it.each([
    ['errors.retry-after-present', {}],
    ['errors.retry-after-is-a-count', { 'retry-after': '0.1' }],
    ['errors.retry-after-is-a-count', { 'retry-after': '1s' }],
  ] as const)('is found by %s, though each request is let in later', async (clause, headers) => {
    const outcome = await limited(everyFifth, headers, { only: ['mentions'], maxCases: 100 });
    expect(foundBy(outcome)).toEqual([`${clause} failed`]);
    const [finding] = outcome.result?.findings ?? [];
    expect(finding?.answer?.status).toBe(429);
    expect(finding?.sightings).toBeGreaterThan(3);
  });

  it('is found by what the corpus knows of it, which no try can show: it counts but where that is no news', async () => {
    const wishes = { only: ['mentions'] as const, maxCases: 60 };
    const { result } = await limited(everyFifth, {}, wishes);
    const corpus = (result?.findings ?? []).map((each) => knownFailureOf(failureFileOf(each, { seed: 1 })));
    for (const [failOn, exitCode] of [
      ['any', 1],
      ['new', 0],
    ] as const) {
      const outcome = await limited(everyFifth, {}, { ...wishes, corpus, failOn });
      expect(foundBy(outcome)).toEqual(['errors.retry-after-present failed']);
      expect(outcome.footer.exitCode).toBe(exitCode);
      expect(summaryOf(outcome)).toContain('skipped: corpus: 1 of 1 entries could not be tried');
    }
  });

  it.each([
    ['for an hour', '3600'],
    ['again and again', '1'],
  ])('everything %s from some time on ends soon and says so', async (_, retryAfter) => {
    const outcome = await limited(
      (count) => count > 200,
      { 'retry-after': retryAfter },
      { only: ['mentions', 'send'], maxCases: 5_000, limitPatienceMs: 2_000 },
    );
    expect(outcome.result?.end).toBe('server-limits');
    expect(outcome.result?.durationMs).toBeLessThan(30_000);
    expect(foundBy(outcome)).toEqual([]);
    expect(outcome.footer.exitCode).toBe(3);
    expect(summaryOf(outcome)).toMatch(
      /the server limits every request: after [0-9.]+ s every request got a 429/,
    );
  });
});

it('a campaign sends cases of several requests again once no limit was met for long', async () => {
  const now = performance.now.bind(performance);
  let laterMs = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + laterMs);
  const sent: number[] = [];
  const outcome = await limited(
    (count) => count === 100,
    { 'retry-after': '0' },
    {
      only: ['send'],
      maxCases: 800,
      concurrency: 1,
      onCase: (index, { request }) => {
        if (request.earlier !== undefined) sent.push(index);
        if (index === 400) laterMs = 120_000;
      },
    },
  ).finally(() => clock.mockRestore());
  expect(sent.filter((index) => index > 200 && index <= 400)).toEqual([]);
  expect(sent.filter((index) => index > 400).length).toBeGreaterThan(5);
  expect(outcome.result?.end).toBe('complete');
  expect(summaryOf(outcome)).toMatch(/^skipped: cases of several requests: \d+ were not sent/m);
}, 120_000);
