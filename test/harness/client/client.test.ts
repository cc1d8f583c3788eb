import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import type { SentRequest } from '../../../calls/index.ts';
import { Client, type ClientOptions } from '../../../harness/client/client.ts';
import type { Exchange } from '../../../harness/client/exchange.ts';
import { SuiteBug } from '../../../harness/errors.ts';
import { suiteVersion } from '../../../harness/results/suite-version.ts';
import { listening } from '../../fixtures/listening.ts';

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

type Handler = (request: IncomingMessage, response: ServerResponse, count: number) => void;

async function serve(handler: Handler): Promise<string> {
  let count = 0;
  const server = createServer((request, response) => {
    count += 1;
    request.resume();
    handler(request, response, count);
  });
  return listening(server);
}

/** A proxy that connects whoever asks to whatever they name. */
async function tunnel(): Promise<string> {
  const proxy = createServer().on('connect', (request, near) => {
    const [host, port] = (request.url ?? '').split(':');
    const far = connect(Number(port), host, () => {
      near.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      far.pipe(near).pipe(far);
    });
    closers.push(
      () => void far.destroy(),
      () => void near.destroy(),
    );
  });
  return listening(proxy);
}

function clientOf(
  baseUrl: string,
  limits: { isReadOnly?: boolean; ratePerSecond?: number } = {},
  env: NodeJS.ProcessEnv = {},
  more: Partial<ClientOptions> = {},
): Client {
  const client = new Client({
    ...more,
    target: {
      baseUrl,
      connection: { headers: {}, ca: undefined, cert: undefined, key: undefined },
      limits: {
        ratePerSecond: limits.ratePerSecond,
        maxBytes: 1e9,
        isReadOnly: limits.isReadOnly ?? false,
      },
    },
    timeouts: { connectMs: 500, answerMs: 300 },
    env,
  });
  closers.push(() => client.close());
  return client;
}

const get: SentRequest = {
  call: 'mentions',
  method: 'GET',
  path: '/v0/mentions',
  headers: {},
  body: undefined,
};
const post: SentRequest = { ...get, call: 'send', method: 'POST', body: '{}' };

async function exchangeWith(handler: Handler, request = get): Promise<Exchange> {
  return clientOf(await serve(handler)).exchange('author', request);
}

describe('the client', () => {
  it('keeps the path prefix of the base URL and follows no redirect', async () => {
    const seen: (string | undefined)[] = [];
    const baseUrl = await serve((request, response) => {
      seen.push(request.url);
      response.writeHead(302, { location: '/elsewhere' }).end();
    });
    const { response } = await clientOf(`${baseUrl}/prefix`).exchange('author', get);
    expect(response?.status).toBe(302);
    expect(seen).toEqual(['/prefix/v0/mentions']);
  });

  it('says who it is, by name and version, unless it is to say otherwise', async () => {
    const seen: (string | undefined)[] = [];
    const baseUrl = await serve((request, response) => {
      seen.push(request.headers['user-agent']);
      response.end('{}');
    });
    await clientOf(baseUrl).exchange('author', get);
    await clientOf(baseUrl).exchange('author', { ...get, headers: { 'user-agent': 'another' } });
    expect(seen).toEqual([`conform/${suiteVersion()}`, 'another']);
  });

  it('decompresses an answer that nobody asked to be compressed', async () => {
    const { response } = await exchangeWith((_, answer) => {
      answer.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"a":1}'));
    });
    expect(response?.json).toEqual({ a: 1 });
  });

  it.each([
    ['reset', (_: IncomingMessage, answer: ServerResponse): void => void answer.socket?.destroy()],
    ['timeout', (): void => undefined],
    [
      'gateway',
      (_: IncomingMessage, answer: ServerResponse): void => void answer.writeHead(503).end('<html>'),
    ],
    ...['{"error":"Bad gateway"}', '{"error":{"code":502}}', '{"error":null,"message":"no upstream"}'].map(
      (body): [string, (_: IncomingMessage, answer: ServerResponse) => void] => [
        'gateway',
        (_, answer) => void answer.writeHead(502).end(body),
      ],
    ),
    [
      'truncated',
      (_: IncomingMessage, answer: ServerResponse): void =>
        void answer.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip'),
    ],
    [
      'protocol',
      (_: IncomingMessage, answer: ServerResponse): void => void answer.socket?.end('nonsense\r\n\r\n'),
    ],
  ] satisfies [string, Handler][])('names a %s, and tries a read three times', async (kind, handler) => {
    let count = 0;
    const { fault } = await exchangeWith((request, answer) => {
      count += 1;
      handler(request, answer);
    });
    expect(fault).toMatchObject({ kind, tries: 3 });
    expect(count).toBe(3);
  });

  it('sends no write twice unless told to, since what became of it is unknown', async () => {
    let count = 0;
    const { fault } = await exchangeWith((_, answer) => {
      count += 1;
      answer.socket?.destroy();
    }, post);
    expect(fault?.kind).toBe('reset');
    expect(count).toBe(1);
  });

  describe('that repeats writes under their keys', () => {
    const keyed: SentRequest = { ...post, headers: { 'idempotency-key': 'k' } };

    /** What comes of a write, how often it was sent, and the faults of the tries that were not the last. */
    async function repeating(
      handler: Handler,
      request = keyed,
    ): Promise<{ exchange: Exchange; count: number; repeated: (string | undefined)[] }> {
      const repeated: (string | undefined)[] = [];
      let count = 0;
      const baseUrl = await serve((incoming, answer, number) => {
        count = number;
        handler(incoming, answer, number);
      });
      const client = clientOf(baseUrl, {}, {}, { repeatsWrites: true });
      const noteRepeated = ({ fault }: Exchange): void => void repeated.push(fault?.kind);
      return { exchange: await client.exchange('author', request, { noteRepeated }), count, repeated };
    }

    it('takes the answer of a second try, and tells of the first', async () => {
      const { exchange, repeated } = await repeating((_, answer, count) => {
        if (count === 1) answer.socket?.destroy();
        else if (count === 2) answer.writeHead(503).end('<html>');
        else answer.writeHead(201).end('{}');
      });
      expect([exchange.fault, exchange.response?.status]).toEqual([undefined, 201]);
      expect(repeated).toEqual(['reset', 'gateway']);
    });

    it('gives up after three', async () => {
      const { exchange, count } = await repeating((_, answer) => answer.socket?.destroy());
      expect([exchange.fault?.kind, exchange.fault?.tries, count]).toEqual(['reset', 3, 3]);
    });

    it('takes a conflict after that for one with itself: nobody knows more', async () => {
      const { exchange } = await repeating((_, answer, count) => {
        if (count === 1) answer.socket?.destroy();
        else answer.writeHead(409).end('{"error":{"code":"conflict","message":"m"}}');
      });
      expect([exchange.fault?.kind, exchange.response]).toEqual(['reset', undefined]);
    });

    it('hands a conflict on that is the first answer', async () => {
      const { exchange } = await repeating((_, answer) => answer.writeHead(409).end('{}'));
      expect(exchange.response?.status).toBe(409);
    });

    it.each<[string, Handler, SentRequest]>([
      ['one without a key', (_, answer) => answer.socket?.destroy(), post],
      ['one that was waited for in vain', () => undefined, keyed],
    ])('does not repeat %s', async (_, handler, request) => {
      const { exchange, count } = await repeating(handler, request);
      expect(exchange.fault).toBeDefined();
      expect(count).toBe(1);
    });
  });

  it('takes the answer of a second try when the first met trouble', async () => {
    const { response, fault } = await exchangeWith((_, answer, count) => {
      if (count === 1) answer.socket?.destroy();
      else answer.end('{}');
    });
    expect(fault).toBeUndefined();
    expect(response?.json).toEqual({});
  });

  it('obeys Retry-After and tries again after a 429, a write too', async () => {
    const startedMs = performance.now();
    const { response } = await exchangeWith((_, answer, count) => {
      if (count === 1) answer.writeHead(429, { 'retry-after': '1' }).end('{}');
      else answer.end('{}');
    }, post);
    expect(response?.status).toBe(200);
    expect(performance.now() - startedMs).toBeGreaterThan(990);
  });

  it('hands on a 503 that carries an ApiError: the service itself said it', async () => {
    const { response, fault } = await exchangeWith(
      (_, answer) => void answer.writeHead(503).end('{"error":{"code":"x","message":"y"}}'),
    );
    expect(fault).toBeUndefined();
    expect(response?.status).toBe(503);
  });

  it('throws a suite bug instead of writing in a read-only run', async () => {
    const client = clientOf(await serve((_, answer) => void answer.end('{}')), { isReadOnly: true });
    await expect(client.exchange('author', post)).rejects.toBeInstanceOf(SuiteBug);
    expect((await client.exchange('author', get)).response?.status).toBe(200);
  });

  it('is none the worse for requests that cannot be built, however many', async () => {
    const client = clientOf(await serve((_, answer) => answer.end('{}')));
    const unbuilt = { ...get, headers: { 'idempotency-key': 'a\u0000b' } };
    const faults = await Promise.all(Array.from({ length: 300 }, () => client.exchange('author', unbuilt)));
    expect(new Set(faults.map(({ fault }) => fault?.kind))).toEqual(new Set(['protocol']));
    const { response } = await client.exchange('author', get);
    expect(response?.status).toBe(200);
  });

  it('is none the worse for them behind a proxy either', async () => {
    const client = clientOf(await serve((_, answer) => answer.end('{}')), {}, { HTTP_PROXY: await tunnel() });
    const unbuilt = { ...get, headers: { 'idempotency-key': 'a\u0000b' } };
    await Promise.all(Array.from({ length: 300 }, () => client.exchange('author', unbuilt)));
    const { response } = await client.exchange('author', get);
    expect(response?.status).toBe(200);
  });

  it('warns nobody of the listeners of many requests that one signal can end', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error): void => void warnings.push(warning);
    process.on('warning', note);
    const client = clientOf(await serve((_, answer) => void answer.end('{}')));
    const { signal } = new AbortController();
    await Promise.all(Array.from({ length: 40 }, () => client.exchange('author', get, { signal })));
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', note);
    expect(warnings).toEqual([]);
  });

  it('keeps to its rate', async () => {
    const client = clientOf(await serve((_, answer) => void answer.end('{}')), { ratePerSecond: 20 });
    const startedMs = performance.now();
    await Promise.all(Array.from({ length: 5 }, () => client.exchange('author', get)));
    expect(performance.now() - startedMs).toBeGreaterThan(190);
  });
});
