import type { SentRequest } from '../../../../calls/index.ts';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { Client } from '../../../../harness/client/client.ts';
import { Pacer } from '../../../../harness/client/pacing/pacer.ts';

const closers: (() => Promise<void> | void)[] = [];
afterAll(async () => {
  for (const close of closers.splice(0)) await close();
});

/** Lets a server listen until all tests have ended: they run side by side, for they mostly wait. */
async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

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
  const server = createServer(answer);
  return {
    baseUrl: await listening(server),
    seen,
    refused: () => refused,
  };
}

function clientOf(baseUrl: string, limitPatienceMs = 120_000): Client {
  const client = new Client({
    target: {
      baseUrl,
      connection: { headers: {}, ca: undefined, cert: undefined, key: undefined },
      limits: { ratePerSecond: undefined, maxBytes: 1e9, isReadOnly: false },
    },
    timeouts: { connectMs: 500, answerMs: 2_000 },
    limitPatienceMs,
  });
  closers.push(() => client.close());
  return client;
}

function requestOf(token: string | undefined, path = '/v0/mentions'): SentRequest {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return { call: 'mentions', method: 'GET', path, headers, body: undefined };
}

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

// Rates are of wall time: a busy machine may hide one of them.
describe.concurrent('a client under a limit', { retry: 2 }, () => {
  it.each([
    ['that says how long to wait', { 'retry-after': '1' }],
    ['that says nothing', {}],
    ['that says not to wait', { 'retry-after': '0' }],
  ])('learns the pace of one %s, and every request is let in', async (_, headers) => {
    const { baseUrl, refused } = await limiting(10, { headers });
    const client = clientOf(baseUrl);
    await client.exchange('author', requestOf('a'));
    const startedMs = performance.now();
    const answers = await Promise.all(times(40, () => client.exchange('author', requestOf('a'))));
    expect(answers.map(({ response }) => response?.status)).toEqual(times(40, () => 200));
    expect(performance.now() - startedMs).toBeLessThan(15_000);
    // The burst at the beginning, and few by the growing afterwards.
    expect(refused()).toBeLessThan(60);
    expect(client.limited).toEqual([
      { who: 'author', times: refused(), ratePerSecond: expect.any(Number), isEndless: false },
    ]);
    expect(client.limited[0]?.ratePerSecond).toBeGreaterThan(2);
    expect(client.limited[0]?.ratePerSecond).toBeLessThan(15);
  });

  it('slows the credential that was limited and no other', async () => {
    const { baseUrl } = await limiting(5, {
      keyOf: ({ headers }) => (headers.authorization === 'Bearer a' ? 'a' : String(Math.random())),
    });
    const client = clientOf(baseUrl);
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
    const client = clientOf(baseUrl);
    await client.exchange('author', requestOf('a', '/first'));
    await Promise.all(times(8, () => client.exchange('author', requestOf('a', '/burst'))));
    const later = seen.length;
    const paths = times(10, (index) => `/${index}`);
    await Promise.all(paths.map((path) => client.exchange('author', requestOf('a', path))));
    expect(seen.slice(later)).toEqual(paths);
  });

  it('learns a limit that all credentials share', async () => {
    const { baseUrl } = await limiting(10, { keyOf: () => 'everybody' });
    const client = clientOf(baseUrl);
    const tokens = ['a', 'b', 'c', 'd'];
    const ask = (token: string) => client.exchange(token, requestOf(token));
    const answers = await Promise.all(times(40, (index) => ask(tokens[index % 4] ?? '')));
    expect(answers.every(({ response }) => response?.status === 200)).toBe(true);
  });

  it('learns a limit on requests without a credential', async () => {
    const { baseUrl } = await limiting(5, {
      keyOf: ({ headers }) => (headers.authorization === undefined ? 'nobody' : String(Math.random())),
    });
    const client = clientOf(baseUrl);
    const answers = await Promise.all(times(15, () => client.exchange('anonymous', requestOf(undefined))));
    expect(answers.every(({ response }) => response?.status === 200)).toBe(true);
  });

  it('obeys Retry-After for the credential as a whole', async () => {
    let [count, openMs] = [0, 0];
    const early: number[] = [];
    const server = createServer((request, response) => {
      request.resume();
      count += 1;
      const nowMs = performance.now();
      if (count === 2) openMs = nowMs + 1_000;
      if (count > 2 && nowMs < openMs) early.push(openMs - nowMs);
      response.writeHead(nowMs < openMs ? 429 : 200, { 'retry-after': '1' }).end('{}');
    });
    const client = clientOf(await listening(server));
    await client.exchange('author', requestOf('a'));
    const limited = client.exchange('author', requestOf('a'));
    await sleep(100);
    await Promise.all([limited, ...times(3, () => client.exchange('author', requestOf('a')))]);
    expect(early).toEqual([]);
  });

  it('obeys a server that is busy now and then without going slower', async () => {
    let count = 0;
    const server = createServer((request, response) => {
      request.resume();
      count += 1;
      response.writeHead(count % 40 === 0 ? 429 : 200, { 'retry-after': '1' }).end('{}');
    });
    const client = clientOf(await listening(server));
    await client.exchange('author', requestOf('a'));
    const workers = times(10, async () => {
      for (let done = 0; done < 20; done += 1) await client.exchange('author', requestOf('a'));
    });
    await Promise.all(workers);
    expect(client.limited).toMatchObject([{ who: 'author', times: 5, ratePerSecond: undefined }]);
  });

  it.each([
    ['that says how long to wait', { 'retry-after': '1' }],
    ['that says nothing', {}],
    ['that says not to wait', { 'retry-after': '0' }],
  ])(
    'is not starved by a server that refuses every fifth request, %s',
    async (_, headers) => {
      let count = 0;
      const server = createServer((request, response) => {
        request.resume();
        count += 1;
        response.writeHead(count % 5 === 0 ? 429 : 200, headers).end('{}');
      });
      const client = clientOf(await listening(server));
      await client.exchange('author', requestOf('a'));
      const startedMs = performance.now();
      const statuses: (number | undefined)[] = [];
      const workers = times(16, async () => {
        for (let done = 0; done < 30; done += 1)
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
    const server = createServer((request, response) => {
      request.resume();
      const isSend = request.method === 'POST';
      if (isSend) sends += 1;
      else reads += 1;
      response.writeHead(isSend ? 429 : 200, { 'retry-after': '0' }).end('{}');
    });
    const client = clientOf(await listening(server), 3_000);
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
    const client = clientOf(baseUrl);
    const shown: (number | undefined)[] = [];
    const noteLimited = ({ response }: { response?: { status: number } | undefined }): void =>
      void shown.push(response?.status);
    await Promise.all(times(12, () => client.exchange('author', requestOf('a'), { noteLimited })));
    expect(shown).toEqual(times(refused(), () => 429));
    expect(shown.length).toBeGreaterThan(3);
  });

  it('hands a 429 on that does not end, within its patience, and those behind it soon', async () => {
    const { baseUrl } = await limiting(0);
    const client = clientOf(baseUrl, 3_000);
    const startedMs = performance.now();
    const answers = await Promise.all(times(20, () => client.exchange('author', requestOf('a'))));
    expect(answers.map(({ response }) => response?.status)).toEqual(times(20, () => 429));
    expect(performance.now() - startedMs).toBeLessThan(20_000);
    expect(client.limited.some(({ isEndless }) => isEndless)).toBe(true);
  });

  it('does not wait at all for what is longer than its patience', async () => {
    const { baseUrl } = await limiting(0, { headers: { 'retry-after': '3600' } });
    const client = clientOf(baseUrl);
    const startedMs = performance.now();
    const { response } = await client.exchange('author', requestOf('a'));
    expect(response?.status).toBe(429);
    expect(performance.now() - startedMs).toBeLessThan(500);
  });

  it('stops the clock of whoever asks for as long as its request waits', async () => {
    const { baseUrl } = await limiting(2);
    const client = clientOf(baseUrl);
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
  it.each([
    ['waits for a Retry-After beyond its patience where it is told to', 300, false],
    ['waits for none beyond what it is told to', 100, true],
  ])('%s', async (_, longestRetryAfterMs, isEndless) => {
    const pacer = new Pacer('author', { patienceMs: 50, longestRetryAfterMs });
    closers.push(() => pacer.close());
    pacer.noteRefused(performance.now(), 200);
    expect(pacer.isEndless).toBe(isEndless);
  });

  it('forgets whoever stops waiting', async () => {
    const pacer = new Pacer('author', { patienceMs: 1_000 });
    closers.push(() => pacer.close());
    pacer.noteRefused(performance.now(), 200);
    const leaving = new AbortController();
    const order: string[] = [];
    const gone = pacer.turn(1, leaving.signal)?.then(() => order.push('gone'));
    const stays = pacer.turn(2, undefined)?.then(() => order.push('stays'));
    leaving.abort();
    await gone;
    expect(order).toEqual(['gone']);
    await stays;
    expect(order).toEqual(['gone', 'stays']);
  });

  it('lets whoever was refused go before those that came later', async () => {
    const pacer = new Pacer('author', { patienceMs: 1_000 });
    closers.push(() => pacer.close());
    pacer.noteRefused(performance.now(), 200);
    const order: number[] = [];
    const go = async (ticket: number): Promise<void> => {
      await pacer.turn(ticket, undefined);
      order.push(ticket);
    };
    await Promise.all([5, 6, 2, 9, 4].map(go));
    expect(order).toEqual([2, 4, 5, 6, 9]);
  });

  it('recovers slowly when nothing is refused any more', async () => {
    const pacer = new Pacer('author', { patienceMs: 1_000 });
    closers.push(() => pacer.close());
    for (let count = 0; count < 2; count += 1) pacer.noteRefused(performance.now(), 0);
    const untilMs = performance.now() + 3_500;
    const turns = times(100, async (index) => {
      await pacer.turn(index, undefined);
      pacer.noteLetIn(performance.now());
    });
    await sleep(untilMs - performance.now());
    expect(pacer.limited?.ratePerSecond).toBe(5);
    expect(1000 / pacer.spacingMs).toBeGreaterThan(5.5);
    expect(1000 / pacer.spacingMs).toBeLessThan(12);
    pacer.close();
    await Promise.all(turns);
  });
});
