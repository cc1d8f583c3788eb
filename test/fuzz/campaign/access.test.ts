import { describe, expect, it } from 'vitest';
import type { FuzzOptions, FuzzOutcome } from '../../../fuzz/campaign/run-fuzz.ts';
import type { AnswerHook } from '../../../reference/index.ts';
import { json, type Asked } from '../../fixtures/front.ts';
import { foundBy, fuzzed, fuzzedBehind, summaryOf } from '../campaigns.ts';

function refusal(status: number): ReturnType<AnswerHook> {
  const body = { error: { code: 'denied', message: 'no' } };
  return { status, headers: { 'content-type': 'application/json', 'www-authenticate': 'Bearer' }, body };
}

/** Refuses every request of these numbers, from 1 on, or of one call. */
function refusing(
  status: number,
  isRefused: (count: number) => boolean,
  call?: 'send',
): { readonly answer: AnswerHook } {
  let count = 0;
  return {
    answer: (given, { route }) =>
      (call ?? route) === route && isRefused((count += 1)) ? refusal(status) : given,
  };
}

/** A campaign at a server that refuses the reader some of what it asks. */
function refusingTheReader(
  status: number,
  isRefused: (asked: Asked) => boolean,
  wishes: Partial<FuzzOptions>,
): Promise<FuzzOutcome> {
  let authorization: string | undefined;
  const body = '{"error":{"code":"denied","message":"no"}}';
  const refused = json(`${status} Refused`, body, ['www-authenticate: Bearer']);
  const isReader = ({ request: { headers } }: Asked): boolean => headers.authorization === authorization;
  return fuzzedBehind(
    { instead: (asked) => (isReader(asked) && isRefused(asked) ? refused : undefined) },
    {
      ...wishes,
      target: (target) => {
        authorization = `Bearer ${target.roles.reader?.token}`;
        return target;
      },
    },
  );
}

describe('a campaign whose credential is lost', () => {
  it.each([401, 403])('half-way, to %s, holds nothing against the server and says so', async (status) => {
    const outcome = await fuzzed(
      {},
      { maxCases: 5_000 },
      refusing(status, (count) => count > 250),
    );
    expect(outcome.result?.end).toBe('access-lost');
    expect(outcome.result?.durationMs).toBeLessThan(30_000);
    expect(foundBy(outcome)).toEqual([]);
    expect(outcome.footer.exitCode).toBe(3);
    expect(summaryOf(outcome)).toMatch(/a credential was lost: after [0-9.]+ s every request/);
  });

  it.each([401, 403])(
    'of a reader that is not the author, to %s, holds nothing against the server either',
    async (status) => {
      let requests = 0;
      const outcome = await refusingTheReader(status, () => (requests += 1) > 60, {
        maxCases: 3_000,
        only: ['send', 'authentication'],
      });
      expect(foundBy(outcome)).toEqual([]);
      expect(outcome.footer.exitCode).toBe(3);
      expect(summaryOf(outcome)).toMatch(/a credential was lost: after [0-9.]+ s every request/);
    },
    60_000,
  );

  it('for a moment goes on', async () => {
    const outcome = await fuzzed(
      {},
      { maxCases: 300 },
      refusing(401, (count) => count > 250 && count <= 265),
    );
    expect(outcome.result?.end).toBe('complete');
    expect(outcome.result?.cases).toBe(300);
  });

  it('by what it sends is a finding', async () => {
    const outcome = await fuzzed(
      {},
      { maxCases: 300, only: ['mentions'] },
      { answer: (given, { query }) => (query['limit'] === '100' ? refusal(401) : given) },
    );
    expect(outcome.result?.end).toBe('complete');
    expect(foundBy(outcome)).toEqual(['auth.bearer-accepted failed']);
    expect(outcome.footer.exitCode).toBe(1);
  });
});

it('a reader that the channel is closed to is held against nobody', async () => {
  const isOfChannel = ({ call }: Asked): boolean => call === 'send' || call === 'read';
  const outcome = await refusingTheReader(403, isOfChannel, {
    maxCases: 600,
    only: ['send', 'authentication'],
  });
  expect(foundBy(outcome)).toEqual([]);
  expect(outcome.footer.exitCode).toBe(0);
});

it.each([402, 403])(
  'a campaign whose sends are refused from some time on with %d proves nothing',
  async (status) => {
    let sends = 0;
    const refused = json(`${status} Refused`, '{"error":{"code":"refused","message":"no more"}}');
    const outcome = await fuzzedBehind(
      { instead: ({ call }) => (call === 'send' && (sends += 1) > 30 ? refused : undefined) },
      { only: ['send'], maxCases: 300 },
    );
    expect(foundBy(outcome)).toEqual([]);
    expect(outcome.result?.end).toBe('complete');
    expect(outcome.footer.exitCode).toBe(3);
    expect(outcome.footer.reason).toBe(
      `the server refuses a baseline request that it took at the beginning: POST /v0/channels/{channel}/messages: ${status} refused`,
    );
  },
);

describe('a campaign whose server fails every plain send', () => {
  it.each([
    ['half-way', 250],
    ['from the beginning', 0],
  ])('%s, blames no input of it and proves nothing', async (_, from) => {
    const outcome = await fuzzed(
      {},
      { maxCases: 3_000 },
      refusing(507, (count) => count > from, 'send'),
    );
    expect(foundBy(outcome)).toEqual([]);
    expect(outcome.result?.end).toBe('server-fails');
    expect(outcome.footer.exitCode).toBe(3);
    expect(summaryOf(outcome)).toContain('POST /v0/channels/{channel}/messages: 507 denied');
  });

  it('for a moment goes on', async () => {
    const outcome = await fuzzed(
      {},
      { maxCases: 300 },
      refusing(507, (count) => count > 100 && count <= 105, 'send'),
    );
    expect(outcome.result?.end).toBe('complete');
  });

  it('is of no account where no sends were asked for', async () => {
    const outcome = await fuzzed(
      {},
      { maxCases: 300, only: ['read'] },
      refusing(507, () => true, 'send'),
    );
    expect(outcome.result?.end).toBe('complete');
    expect(outcome.footer.exitCode).toBe(0);
  });
});
