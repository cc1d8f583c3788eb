import type { SentRequest } from '../../../../spec/calls/index.ts';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Client } from '../../../../harness/client/client.ts';
import { Pacer } from '../../../../harness/client/pacing/pacer.ts';
import { clientOf } from '../../../fixtures/client.ts';
import { listening } from '../../../fixtures/listening.ts';

/** Closes what is open when all tests have ended: they run side by side, for they mostly wait. */
const closers: (() => Promise<void> | void)[] = [];
const whenOver = (close: () => Promise<void> | void): void => void closers.push(close);
afterAll(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A server that lets `perSecond` requests in for each key, a second's worth at once, and what it saw. */
async function limiting(
  perSecond: number,
  {
    keyOf = (request: IncomingMessage) => request.headers.authorization ?? '',
    headers = { 'retry-after': '1' } as Readonly<Record<string, string>>,
  } = {},
): Promise<{ baseUrl: string; seen: string[]; refused: () => number }> {
  const buckets = new Map<string, { tokens: number; atMs: number }>();
  const seen: string[] = [];
  let refused = 0;
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    request.resume();
    const bucket = buckets.get(keyOf(request)) ?? { tokens: perSecond, atMs: performance.now() };
    const nowMs = performance.now();
    bucket.tokens = Math.min(perSecond, bucket.tokens + ((nowMs - bucket.atMs) / 1000) * perSecond);
    bucket.atMs = nowMs;
    buckets.set(keyOf(request), bucket);
    if (bucket.tokens < 1) {
      refused += 1;
      response.writeHead(429, headers).end('{}');
      return;
    }
    bucket.tokens -= 1;
    seen.push(request.url ?? '');
    response.writeHead(200, {}).end('{}');
  };
  return { baseUrl: await listening(createServer(answer), whenOver), seen, refused: () => refused };
}

const ownClient = (baseUrl: string, limitPatienceMs = 120_000): Client =>
  clientOf(baseUrl, { timeouts: { connectMs: 500, answerMs: 2_000 }, limitPatienceMs }, whenOver);

/** A client of a server that answers a request, by its number, with a 429 or lets it in. */
async function clientWhere(
  isRefused: (count: number, request: IncomingMessage) => boolean,
  headers: Readonly<Record<string, string>>,
  limitPatienceMs?: number,
): Promise<Client> {
  let count = 0;
  const server = createServer((request, response) => {
    request.resume();
    count += 1;
    response.writeHead(isRefused(count, request) ? 429 : 200, headers).end('{}');
  });
  return ownClient(await listening(server, whenOver), limitPatienceMs);
}

function requestOf(token: string | undefined, path = '/v0/mentions'): SentRequest {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return { call: 'mentions', method: 'GET', path, headers, body: undefined };
}

/** What a limit may say of when to come again. */
const askedToWait = [
  ['that says how long to wait', { 'retry-after': '1' }],
  ['that says nothing', {}],
  ['that says not to wait', { 'retry-after': '0' }],
] as const;

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

// Rates are of wall time: a busy machine may hide one of them.
describe.concurrent('a client under a limit', { retry: 2 }, () => {
  it.each(askedToWait)('learns the pace of one %s, and every request is let in', async (_, headers) => {
    const { baseUrl, refused } = await limiting(10, { headers });
    const client = ownClient(baseUrl);
    await client.exchange('author', requestOf('a'));
    const startedMs = performance.now();
    const answers = await Promise.all(times(40, () => client.exchange('author', requestOf('a'))));
    expect(answers.map(({ response }) => response?.status)).toEqual(times(40, () => 200));
    expect(performance.now() - startedMs).toBeLessThan(15_000);
    // The burst at the beginning, and few by the growing afterwards.
    expect(refused()).toBeLessThan(60);
    expect(client.limited).toEqual([
      {
        who: 'author',
        times: refused(),
        ratePerSecond: expect.any(Number),
        letInPerSecond: expect.any(Number),
        isEndless: false,
      },
    ]);
    expect(client.limited[0]?.ratePerSecond).toBeGreaterThan(2);
    expect(client.limited[0]?.ratePerSecond).toBeLessThan(15);
  });

  it('slows the credential that was limited and no other', async () => {
    const { baseUrl } = await limiting(5, {
      keyOf: ({ headers }) => (headers.authorization === 'Bearer a' ? 'a' : String(Math.random())),
    });
    const client = ownClient(baseUrl);
    await Promise.all([client.exchange('author', requestOf('a')), client.exchange('reader', requestOf('b'))]);
    const order: string[] = [];
    const ask = async (actor: string, token: string): Promise<void> => {
      await client.exchange(actor, requestOf(token));
      order.push(actor);
    };
    const slow = times(15, () => ask('author', 'a'));
    await sleep(100);
    await Promise.all(times(50, () => ask('reader', 'b')));
    expect(order.filter((who) => who === 'author').length).toBeLessThan(10);
    await Promise.all(slow);
    expect(client.limited.map(({ who }) => who)).toEqual(['author']);
  });

  it('lets requests through in the order in which they were asked for', async () => {
    const { baseUrl, seen } = await limiting(5);
    const client = ownClient(baseUrl);
    await client.exchange('author', requestOf('a', '/first'));
    await Promise.all(times(8, () => client.exchange('author', requestOf('a', '/burst'))));
    const later = seen.length;
    const paths = times(10, (index) => `/${index}`);
    await Promise.all(paths.map((path) => client.exchange('author', requestOf('a', path))));
    expect(seen.slice(later)).toEqual(paths);
  });

  it('learns a limit that all credentials share', async () => {
    const { baseUrl } = await limiting(10, { keyOf: () => 'everybody' });
    const client = ownClient(baseUrl);
    const tokens = ['a', 'b', 'c', 'd'];
    const ask = (token: string) => client.exchange(token, requestOf(token));
    const answers = await Promise.all(times(40, (index) => ask(tokens[index % 4] ?? '')));
    expect(answers.every(({ response }) => response?.status === 200)).toBe(true);
  });

  it('learns a limit on requests without a credential', async () => {
    const { baseUrl } = await limiting(5, {
      keyOf: ({ headers }) => (headers.authorization === undefined ? 'nobody' : String(Math.random())),
    });
    const client = ownClient(baseUrl);
    const answers = await Promise.all(times(15, () => client.exchange('anonymous', requestOf(undefined))));
    expect(answers.every(({ response }) => response?.status === 200)).toBe(true);
  });

  it('obeys Retry-After for the credential as a whole', async () => {
    let openMs = 0;
    const early: number[] = [];
    const isRefused = (count: number): boolean => {
      const nowMs = performance.now();
      if (count === 2) openMs = nowMs + 1_000;
      if (count > 2 && nowMs < openMs) early.push(openMs - nowMs);
      return nowMs < openMs;
    };
    const client = await clientWhere(isRefused, { 'retry-after': '1' });
    await client.exchange('author', requestOf('a'));
    const limited = client.exchange('author', requestOf('a'));
    await sleep(100);
    await Promise.all([limited, ...times(3, () => client.exchange('author', requestOf('a')))]);
    expect(early).toEqual([]);
  });

  it('obeys a server that is busy now and then without going slower', async () => {
    const client = await clientWhere((count) => count % 40 === 0, { 'retry-after': '1' });
    await client.exchange('author', requestOf('a'));
    const workers = times(10, async () => {
      for (let done = 0; done < 20; done += 1) await client.exchange('author', requestOf('a'));
    });
    await Promise.all(workers);
    expect(client.limited).toMatchObject([{ who: 'author', times: 5, ratePerSecond: undefined }]);
  });

  it.each(askedToWait)(
    'is not starved by a server that refuses every fifth request, %s',
    async (_, headers) => {
      const client = await clientWhere((count) => count % 5 === 0, headers);
      await client.exchange('author', requestOf('a'));
      const startedMs = performance.now();
      const statuses: (number | undefined)[] = [];
      const workers = times(16, async () => {
        for (let done = 0; done < 15; done += 1)
          statuses.push((await client.exchange('author', requestOf('a'))).response?.status);
      });
      await Promise.all(workers);
      expect(new Set(statuses)).toEqual(new Set([200]));
      expect(performance.now() - startedMs).toBeLessThan(20_000);
      const [{ isEndless, ratePerSecond = Number.POSITIVE_INFINITY } = {}] = client.limited;
      expect(isEndless).toBe(false);
      expect(ratePerSecond).toBeGreaterThan(50);
    },
    40_000,
  );

  it('does not wait again and again for a call that alone is never let in', async () => {
    let [reads, sends] = [0, 0];
    const isSend = (_: number, { method }: IncomingMessage): boolean => {
      if (method === 'POST') sends += 1;
      else reads += 1;
      return method === 'POST';
    };
    const client = await clientWhere(isSend, { 'retry-after': '0' }, 3_000);
    const send = (): Promise<unknown> =>
      client.exchange('author', { ...requestOf('a'), call: 'send', method: 'POST', body: '{}' });
    await client.exchange('author', requestOf('a'));
    await send();
    const startedMs = performance.now();
    const sentBefore = sends;
    for (let count = 0; count < 10; count += 1) {
      await send();
      await client.exchange('author', requestOf('a'));
    }
    expect(sends - sentBefore).toBe(10);
    expect(reads).toBe(11);
    expect(performance.now() - startedMs).toBeLessThan(3_500);
  }, 40_000);

  it('shows every 429 that it waits out', async () => {
    const { baseUrl, refused } = await limiting(5);
    const client = ownClient(baseUrl);
    const shown: (number | undefined)[] = [];
    const noteTry = ({ response }: { response?: { status: number } | undefined }): void =>
      void shown.push(response?.status);
    await Promise.all(times(12, () => client.exchange('author', requestOf('a'), { noteTry })));
    expect(shown).toEqual(times(refused(), () => 429));
    expect(shown.length).toBeGreaterThan(3);
  });

  it('hands a 429 on that does not end, within its patience, and those behind it soon', async () => {
    const { baseUrl } = await limiting(0);
    const client = ownClient(baseUrl, 3_000);
    const startedMs = performance.now();
    const answers = await Promise.all(times(20, () => client.exchange('author', requestOf('a'))));
    expect(answers.map(({ response }) => response?.status)).toEqual(times(20, () => 429));
    expect(performance.now() - startedMs).toBeLessThan(20_000);
    expect(client.limited.some(({ isEndless }) => isEndless)).toBe(true);
  });

  it('does not wait at all for what is longer than its patience', async () => {
    const { baseUrl } = await limiting(0, { headers: { 'retry-after': '3600' } });
    const client = ownClient(baseUrl);
    const startedMs = performance.now();
    const { response } = await client.exchange('author', requestOf('a'));
    expect(response?.status).toBe(429);
    expect(performance.now() - startedMs).toBeLessThan(500);
  });

  it('stops the clock of whoever asks for as long as its request waits', async () => {
    const { baseUrl } = await limiting(2);
    const client = ownClient(baseUrl);
    let untimedMs = 0;
    const untimed = async <T>(work: () => Promise<T>): Promise<T> => {
      const startedMs = performance.now();
      const result = await work();
      untimedMs += performance.now() - startedMs;
      return result;
    };
    for (let count = 0; count < 2; count += 1) await client.exchange('author', requestOf('a'));
    const startedMs = performance.now();
    await client.exchange('author', requestOf('a'), { untimed });
    expect(untimedMs).toBeGreaterThan(900);
    expect(performance.now() - startedMs - untimedMs).toBeLessThan(200);
  });
});

describe('a pacer', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
  afterEach(() => void vi.useRealTimers());

  function limitedPacer(refusals = 1, retryAfterMs = 200): Pacer {
    const pacer = new Pacer('author', { patienceMs: 1_000 });
    onTestFinished(() => pacer.close());
    for (let count = 0; count < refusals; count += 1) pacer.noteRefused(performance.now(), retryAfterMs);
    return pacer;
  }

  it.each([
    ['waits for a Retry-After beyond its patience where it is told to', 300, false],
    ['waits for none beyond what it is told to', 100, true],
  ])('%s', async (_, longestRetryAfterMs, isEndless) => {
    const pacer = new Pacer('author', { patienceMs: 50, longestRetryAfterMs });
    onTestFinished(() => pacer.close());
    pacer.noteRefused(performance.now(), 200);
    expect(pacer.isEndless).toBe(isEndless);
  });

  it('forgets whoever stops waiting', async () => {
    const pacer = limitedPacer();
    const leaving = new AbortController();
    const order: string[] = [];
    const gone = pacer.turn(1, leaving.signal)?.then(() => order.push('gone'));
    const stays = pacer.turn(2, undefined)?.then(() => order.push('stays'));
    leaving.abort();
    await gone;
    expect(order).toEqual(['gone']);
    await vi.advanceTimersByTimeAsync(400);
    await stays;
    expect(order).toEqual(['gone', 'stays']);
  });

  it('lets whoever was refused go before those that came later', async () => {
    const pacer = limitedPacer();
    const order: number[] = [];
    const go = async (ticket: number): Promise<void> => {
      await pacer.turn(ticket, undefined);
      order.push(ticket);
    };
    const all = Promise.all([5, 6, 2, 9, 4].map(go));
    await vi.advanceTimersByTimeAsync(3_000);
    await all;
    expect(order).toEqual([2, 4, 5, 6, 9]);
  });

  it('tells how many were let in from the first refusal on, pauses included', async () => {
    const pacer = new Pacer('author', { patienceMs: 60_000 });
    onTestFinished(() => pacer.close());
    const go = async (ticket: number): Promise<number> => {
      await pacer.turn(ticket, undefined);
      return performance.now();
    };
    // All at once, before anything is refused: that is no rate of the limit.
    for (let ticket = 0; ticket < 1_000; ticket += 1) pacer.noteLetIn(await go(ticket));
    const refused = [await go(1_000), await go(1_001)];
    for (const startedMs of refused) pacer.noteRefused(startedMs, 2_000);
    expect(pacer.limited?.letInPerSecond).toBeUndefined();
    const next = go(1_002);
    await vi.advanceTimersByTimeAsync(2_500);
    const startedMs = await next;
    for (let count = 0; count < 50; count += 1) pacer.noteLetIn(startedMs);
    expect(pacer.limited?.letInPerSecond).toBeCloseTo(20, 0);
    expect(pacer.limited?.ratePerSecond ?? 0).toBeGreaterThan(500);
  });

  it('recovers slowly when nothing is refused any more', async () => {
    const pacer = limitedPacer(2, 0);
    const turns = times(100, async (index) => {
      await pacer.turn(index, undefined);
      pacer.noteLetIn(performance.now());
    });
    await vi.advanceTimersByTimeAsync(3_500);
    expect(pacer.limited?.ratePerSecond).toBe(5);
    expect(1000 / pacer.spacingMs).toBeGreaterThan(5.5);
    expect(1000 / pacer.spacingMs).toBeLessThan(12);
    pacer.close();
    await Promise.all(turns);
  });

  it.each([
    [2, 0, 50],
    [2, 3, 50],
    [4, 4, 40],
  ])(
    'sees that a server is busy whose refusals would keep a rate where it is: %i at once, number %i of five',
    async (atOnce, refused, seconds) => {
      const pacer = new Pacer('author', { patienceMs: 60_000 });
      onTestFinished(() => pacer.close());
      let [asked, letIn] = [0, 0];
      // From the rate that it tells of it only grows.
      let isSlowerThanTold = false;
      const ask = async (tries: number): Promise<void> => {
        await pacer.turn(asked, undefined);
        const startedMs = performance.now();
        const { ratePerSecond = 0 } = pacer.limited ?? {};
        if (pacer.spacingMs > 0) isSlowerThanTold ||= 1000 / pacer.spacingMs < ratePerSecond - 0.01;
        const isRefused = (asked += 1) % 5 === refused;
        await later(400);
        letIn += Number(!isRefused);
        if (!isRefused) return pacer.noteLetIn(startedMs);
        await later(pacer.noteRefused(startedMs, undefined, tries));
        return ask(tries + 1);
      };
      const later = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
      const all = times(atOnce, async () => {
        while (letIn < 150) await ask(1);
      });
      await vi.advanceTimersByTimeAsync(1_000 * seconds);
      expect(letIn).toBeGreaterThanOrEqual(150);
      await Promise.all(all);
      expect(isSlowerThanTold).toBe(false);
    },
  );
});
