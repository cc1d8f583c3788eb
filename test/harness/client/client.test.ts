import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, createServer as createTcpServer } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { TrafficMeter } from '../../../harness/totals/traffic-meter.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { SentRequest } from '../../../spec/calls/index.ts';
import type { Exchange, FaultKind } from '../../../harness/client/exchange.ts';
import { largeBodies, maxAnswerBytes } from '../../../harness/client/large-bodies.ts';
import { SuiteBug } from '../../../harness/errors.ts';
import { suiteVersion } from '../../../harness/results/suite-version.ts';
import { clientOf } from '../../fixtures/client.ts';
import { requestOf } from '../../fixtures/exchange.ts';
import { raw } from '../../fixtures/front.ts';
import { listening } from '../../fixtures/listening.ts';

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
  const open: Duplex[] = [];
  const proxy = createServer().on('connect', (request, near) => {
    const [host, port] = (request.url ?? '').split(':');
    const far = connect(Number(port), host, () => {
      near.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      far.pipe(near).pipe(far);
    });
    open.push(far, near);
  });
  onTestFinished(() => open.forEach((socket) => socket.destroy()));
  return listening(proxy);
}

const get = requestOf({ call: 'mentions', path: '/v0/mentions' });
const post: SentRequest = { ...get, call: 'send', method: 'POST', body: '{}' };

const fine: Handler = (_, answer) => void answer.end('{}');
const reset: Handler = (_, answer) => void answer.socket?.destroy();
const answering =
  (status: number, body: string, headers = {}): Handler =>
  (_, answer) =>
    void answer.writeHead(status, headers).end(body);
const busy = '{"error":{"code":"x","message":"y"}}';

/** Does the first of these at the first try, and so on; the last at all that follow. */
const inTurn =
  (...handlers: readonly [Handler, ...Handler[]]): Handler =>
  (request, answer, count) =>
    (handlers[count - 1] ?? handlers.at(-1) ?? fine)(request, answer, count);

/** What comes of a request, how often it was sent, and the faults of the tries that were not the last. */
async function exchangeWith(
  handler: Handler,
  request = get,
  options: Parameters<typeof clientOf>[1] = {},
): Promise<Exchange & { readonly count: number; readonly repeated: readonly (FaultKind | undefined)[] }> {
  const repeated: (FaultKind | undefined)[] = [];
  let count = 0;
  const baseUrl = await serve((incoming, answer, number) => {
    count = number;
    handler(incoming, answer, number);
  });
  const noteTry = ({ fault }: Exchange): void => void (fault && repeated.push(fault.kind));
  const exchange = await clientOf(baseUrl, options).exchange('author', request, { noteTry });
  return { ...exchange, count, repeated };
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

  // While others have the room of large answers a body is not read on, and its connection ends meanwhile.
  it.each<[string, (body: Buffer) => readonly [readonly string[], Buffer], boolean]>([
    ['of a known length', (body) => [[`Content-Length: ${body.length}`], body], true],
    [
      'in chunks',
      (body) => [
        ['Transfer-Encoding: chunked'],
        Buffer.from(`${body.length.toString(16)}\r\n${body.toString()}\r\n0\r\n\r\n`),
      ],
      true,
    ],
    ['that end with the connection', (body) => [[], body], true],
    ['compressed', (body) => [['Content-Encoding: gzip'], gzipSync(body, { level: 0 })], true],
    ['that are cut short', (body) => [[`Content-Length: ${body.length + 1}`], body], false],
  ])('reads large answers that close their connections: %s', async (_, as, isWhole) => {
    const lengths = Array.from({ length: 60 }, (_each, at) => 270_000 + 4_000 * at);
    const server = createTcpServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', (head) => {
        const length = Number(/length=(\d+)/.exec(head.toString())?.[1]);
        const [headers, body] = as(Buffer.from(JSON.stringify('x'.repeat(length))));
        socket.write(raw('200 OK', [...headers, 'Connection: close']));
        socket.end(body);
      });
    });
    const client = clientOf(await listening(server), { timeouts: { connectMs: 5_000, answerMs: 20_000 } });
    const giveBack = await largeBodies.turn(maxAnswerBytes, new AbortController().signal);
    const answers = lengths.map((length) =>
      client.exchange('author', { ...get, path: `${get.path}?length=${length}` }),
    );
    await sleep(500);
    giveBack();
    const read = (await Promise.all(answers)).map(({ fault, response }) => fault?.kind ?? response?.json);
    expect(read.map((each) => (isWhole ? String(each).length : each))).toEqual(
      lengths.map((length) => (isWhole ? length : 'truncated')),
    );
  });

  it('decompresses an answer that nobody asked to be compressed', async () => {
    const { response } = await exchangeWith((_, answer) => {
      answer.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"a":1}'));
    });
    expect(response?.json).toEqual({ a: 1 });
  });

  it.each<[FaultKind, Handler]>([
    ['reset', reset],
    ['timeout', () => undefined],
    ['gateway', answering(503, '<html>')],
    ['gateway', answering(502, '{"error":"Bad gateway"}')],
    ['gateway', answering(502, '{"error":{"code":502}}')],
    ['gateway', answering(502, '{"error":null,"message":"no upstream"}')],
    ['gateway', answering(522, 'error code: 522')],
    ['gateway', answering(530, '<html>')],
    ['truncated', answering(200, 'no gzip', { 'content-encoding': 'gzip' })],
    ['protocol', (_, answer) => void answer.socket?.end('nonsense\r\n\r\n')],
  ])('names a %s, and tries a read three times', async (kind, handler) => {
    expect(await exchangeWith(handler)).toMatchObject({ fault: { kind, tries: 3 }, count: 3 });
  });

  const keyed: SentRequest = { ...post, headers: { 'idempotency-key': 'k' } };
  const repeating = { repeatsWrites: true };

  it.each<[string, Handler, SentRequest, object, Partial<Awaited<ReturnType<typeof exchangeWith>>>]>([
    ['sends no write twice, since what became of it is unknown', reset, post, {}, { count: 1 }],
    ['sends no write twice that has no key, told to or not', reset, post, repeating, { count: 1 }],
    ['sends no write twice that was waited for in vain', () => undefined, keyed, repeating, { count: 1 }],
    ['gives up on a write under its key after three', reset, keyed, repeating, { count: 3 }],
  ])('%s', async (_, handler, request, options, seen) => {
    const { fault, ...rest } = await exchangeWith(handler, request, options);
    expect(fault?.tries).toBe(seen.count);
    expect(rest).toMatchObject(seen);
  });

  it.each<[string, number, Handler, SentRequest, object, readonly (FaultKind | undefined)[]]>([
    ['a second try of a read', 200, inTurn(reset, fine), get, {}, []],
    [
      'a third of a write under its key, and tells of the others',
      201,
      inTurn(reset, answering(503, '<html>'), answering(201, '{}')),
      keyed,
      repeating,
      ['reset', 'gateway'],
    ],
    ['the first to such a write, though it is a conflict', 409, answering(409, '{}'), keyed, repeating, []],
    [
      'the one behind a 429, of a write too',
      200,
      inTurn(answering(429, '{}', { 'retry-after': '0' }), fine),
      post,
      {},
      [],
    ],
    ['a 503 with an ApiError, which the service itself said', 503, answering(503, busy), get, {}, []],
  ])('takes the answer to %s', async (_, status, handler, request, options, repeated) => {
    const exchange = await exchangeWith(handler, request, options);
    expect(exchange.fault).toBeUndefined();
    expect(exchange.response?.status).toBe(status);
    expect(exchange.repeated).toEqual(repeated);
  });

  it('counts what requests were sent again after', async () => {
    const client = clientOf(await serve(inTurn(reset, answering(503, '<html>'), fine, reset, fine)));
    for (const _ of 'two') await client.exchange('author', get);
    const { retries, retriedAfter } = new TrafficMeter().summary(client);
    expect(retries).toBe(3);
    expect(retriedAfter).toEqual([
      { what: 'connection reset', times: 2 },
      { what: 'answered by a gateway', times: 1 },
    ]);
  });

  it('takes a conflict after a lost write under its key for one with itself: nobody knows more', async () => {
    const { fault, response } = await exchangeWith(inTurn(reset, answering(409, busy)), keyed, repeating);
    expect([fault?.kind, response]).toEqual(['reset', undefined]);
  });

  it('throws a suite bug instead of writing in a read-only run', async () => {
    const client = clientOf(await serve(fine), { limits: { isReadOnly: true } });
    await expect(client.exchange('author', post)).rejects.toBeInstanceOf(SuiteBug);
    expect((await client.exchange('author', get)).response?.status).toBe(200);
  });

  it.each([
    ['', async () => ({})],
    [' behind a proxy', async () => ({ HTTP_PROXY: await tunnel() })],
  ])('is none the worse for requests that cannot be built, however many%s', async (_, envOf) => {
    const client = clientOf(await serve(fine), { env: await envOf() });
    const unbuilt = { ...get, headers: { 'idempotency-key': 'a\u0000b' } };
    const faults = await Promise.all(Array.from({ length: 300 }, () => client.exchange('author', unbuilt)));
    expect(new Set(faults.map(({ fault }) => fault?.kind))).toEqual(new Set(['protocol']));
    expect((await client.exchange('author', get)).response?.status).toBe(200);
  });

  it('warns nobody of the listeners of many requests that one signal can end', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error): void => void warnings.push(warning);
    process.on('warning', note);
    const client = clientOf(await serve(fine));
    const { signal } = new AbortController();
    await Promise.all(Array.from({ length: 40 }, () => client.exchange('author', get, { signal })));
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', note);
    expect(warnings).toEqual([]);
  });

  it('keeps to its rate, and stops the clock of whoever asks meanwhile', async () => {
    const client = clientOf(await serve(fine), { limits: { ratePerSecond: 20 } });
    let untimedMs = 0;
    const untimed = async <T>(work: () => Promise<T>): Promise<T> => {
      const startedMs = performance.now();
      return work().finally(() => (untimedMs = Math.max(untimedMs, performance.now() - startedMs)));
    };
    const startedMs = performance.now();
    await Promise.all(Array.from({ length: 5 }, () => client.exchange('author', get, { untimed })));
    expect(performance.now() - startedMs).toBeGreaterThan(190);
    expect(untimedMs).toBeGreaterThan(150);
  });
});
