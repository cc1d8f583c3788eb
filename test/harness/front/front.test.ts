import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Front, type FrontOptions, startFront } from '../../../harness/front/front.ts';
import type { PassedExchange } from '../../../harness/front/recorded.ts';
import { listening } from '../../fixtures/listening.ts';

async function before(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  options: FrontOptions = {},
): Promise<Front & { readonly passed: PassedExchange[] }> {
  const passed: PassedExchange[] = [];
  const baseUrl = await listening(createServer(answer));
  const front = await startFront(
    { baseUrl },
    { onExchange: (exchange) => passed.push(exchange), ...options },
  );
  onTestFinished(() => front.close());
  return { ...front, passed };
}

/** What a client gets that writes its request by hand. */
async function raw({ baseUrl }: Front, text: string): Promise<string> {
  const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1');
  socket.write(text);
  let got = '';
  socket.on('data', (chunk: Buffer) => (got += chunk.toString('latin1')));
  await once(socket, 'close');
  return got;
}

describe('a front', () => {
  it('passes trailers of both sides on', async () => {
    let trailers: NodeJS.Dict<string> = {};
    const front = await before((asked, response) => {
      asked.resume().once('end', () => {
        ({ trailers } = asked);
        response.writeHead(200, { trailer: 'x-sum', 'transfer-encoding': 'chunked', connection: 'close' });
        response.write('body');
        response.addTrailers({ 'x-sum': '9' });
        response.end();
      });
    });
    const got = await raw(
      front,
      'POST / HTTP/1.1\r\nHost: a\r\nTrailer: x-own\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\nx-own: 7\r\n\r\n',
    );
    expect(trailers).toEqual({ 'x-own': '7' });
    expect(got).toMatch(/x-sum: 9\r\n\r\n$/i);
  });

  it('leaves it to the server whether a body is to come', async () => {
    const front = await before((asked, response) => response.end(String(asked.headers.expect)), {});
    const server = 'HTTP/1.1 100 Continue';
    const got = await raw(
      front,
      'POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nhi',
    );
    expect(got.startsWith(server)).toBe(true);
    expect(got).toContain('100-continue');
  });

  it('passes contents of 500,000 bytes, piece by piece, and keeps them as they were', async () => {
    const front = await before((asked, response) => asked.pipe(response));
    const body = 'é'.repeat(250_000);
    const answer = await fetch(front.baseUrl, { method: 'POST', body });
    expect(await answer.text()).toBe(body);
    const [exchange] = front.passed;
    expect(Buffer.concat(exchange?.body ?? []).toString()).toBe(body);
    expect(Buffer.concat(exchange?.answer?.body ?? []).toString()).toBe(body);
  });

  it('asks on by the connection of a server that keeps it for a second', async () => {
    const server = createServer({ keepAliveTimeout: 1_000 }, (_, response) => response.end('ok'));
    await using front = await startFront({ baseUrl: await listening(server) });
    const socket = connect(Number(new URL(front.baseUrl).port), '127.0.0.1');
    let got = '';
    socket.on('data', (chunk: Buffer) => (got += chunk.toString('latin1')));
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await expect.poll(() => got).toContain('ok');
    await delay(200);
    socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    await once(socket, 'close');
    expect(got.match(/ 200 OK/g)).toHaveLength(2);
  });

  it.each([{}, { pieces: 1 }, { changed: <Same>(same: Same): Same => same }])(
    'says how long the connection lasts, as the server does: %o',
    async (treatment) => {
      const server = createServer({ keepAliveTimeout: 7_000 }, (_, response) => response.end('ok'));
      await using front = await startFront({ baseUrl: await listening(server) }, { treat: () => treatment });
      const answer = await fetch(front.baseUrl);
      await answer.text();
      expect(answer.headers.get('keep-alive')).toBe('timeout=7');
    },
  );

  it('frames no answer in chunks for a client of HTTP/1.0', async () => {
    const front = await before((_, response) => {
      response.write('first');
      response.end('last');
    });
    const got = await raw(front, 'GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n');
    expect(got).toMatch(/\r\n\r\nfirstlast$/);
    expect(got).not.toMatch(/transfer-encoding/i);
  });

  it('hands an answer on while it comes, as that of a wait', async () => {
    const front = await before((_, response) => {
      response.write('first');
      setTimeout(() => response.end('last'), 200);
    });
    const answer = await fetch(front.baseUrl);
    const reader = answer.body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('first');
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('last');
  });

  it('asks by one connection for each of its client, and ends it with that of the server', async () => {
    const sockets = new Set<unknown>();
    const server = createServer((asked, response) => {
      sockets.add(asked.socket);
      response.end('ok');
    });
    await using front = await startFront({ baseUrl: await listening(server) });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    let socket: IncomingMessage['socket'] | undefined;
    for (let count = 0; count < 3; count += 1)
      await new Promise<void>((resolve) => {
        const asked = request(front.baseUrl, { agent }, (answer) =>
          answer.resume().once('end', resolve),
        ).end();
        asked.on('socket', (own) => (socket = own));
      });
    expect(sockets.size).toBe(1);
    if (socket === undefined) throw new Error('no connection');
    const closed = once(socket, 'close');
    server.closeIdleConnections();
    await closed;
    agent.destroy();
  });

  it.each<[what: string, end: PassedExchange['end'], answer: Parameters<typeof before>[0]]>([
    [
      'a server that cuts an answer',
      'cut by server',
      (_, response) => {
        response.writeHead(200, { 'content-length': '10' });
        response.write('half', () => response.destroy());
      },
    ],
    ['a server that cuts a request', 'cut by server', (asked) => asked.socket.destroy()],
  ])('breaks off with %s, and says so', async (_what, end, answer) => {
    const front = await before(answer);
    await expect(fetch(front.baseUrl).then((each) => each.text())).rejects.toThrow(/fetch failed|terminated/);
    await expect.poll(() => front.passed.map((each) => each.end)).toEqual([end]);
  });

  it('breaks off at the server with a client that goes', async () => {
    let isGone = false;
    const front = await before((_, response) => response.once('close', () => (isGone = true)));
    await expect(fetch(front.baseUrl, { signal: AbortSignal.timeout(100) })).rejects.toThrow(/timeout/);
    await expect.poll(() => isGone).toBe(true);
    expect(front.passed.map((each) => each.end)).toEqual(['cut by client']);
  });

  it('resets the connection where there is no server, and goes on once there is', async () => {
    const gone = createServer();
    const baseUrl = await listening(gone);
    const port = Number(new URL(baseUrl).port);
    await new Promise((resolve) => gone.close(resolve));
    const passed: PassedExchange[] = [];
    await using front = await startFront({ baseUrl }, { onExchange: (exchange) => passed.push(exchange) });
    await expect(fetch(front.baseUrl)).rejects.toThrow('fetch failed');
    expect(passed.map((each) => each.end)).toEqual(['refused']);
    const back = createServer((_, response) => response.end('back')).listen(port, '127.0.0.1');
    await once(back, 'listening');
    onTestFinished(() => void back.close());
    expect(await (await fetch(front.baseUrl)).text()).toBe('back');
  });

  it('keeps no body of a request that was answered before its end', async () => {
    const front = await before((_, response) => response.writeHead(413, { connection: 'close' }).end());
    const got = await raw(front, 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nfive!');
    expect(got).toMatch(/^HTTP\/1\.1 413/);
    expect(front.passed).toMatchObject([{ end: 'answered', body: undefined, answer: { status: 413 } }]);
  });

  it.each([
    { what: 'reads no more', ends: false },
    { what: 'has gone', ends: true },
  ])(
    'takes the rest of a body that is written to its end, where a server has answered and $what',
    async ({ ends }) => {
      const front = await before((asked, response) => {
        response.writeHead(413, { 'content-length': '0' }).end();
        asked.pause();
        // Before the front ends the connection itself, and once it has read the answer, which a reset would take along.
        if (ends) setTimeout(() => asked.socket.destroy(), 60);
      });
      const socket = connect(Number(new URL(front.baseUrl).port), '127.0.0.1');
      const got: Buffer[] = [];
      socket.on('error', () => undefined).pause();
      const body = Buffer.alloc(20_000_000, 'x');
      socket.write(`POST / HTTP/1.1\r\nhost: front\r\ncontent-length: ${body.length}\r\n\r\n`);
      // It reads once all is written, and not before.
      await new Promise((resolve) => socket.write(body, resolve));
      socket.on('data', (chunk: Buffer) => got.push(chunk)).resume();
      await once(socket, 'close');
      expect(Buffer.concat(got).toString()).toMatch(/^HTTP\/1\.1 413 /);
    },
  );

  it('keeps no body that it is not asked to', async () => {
    const front = await before((_, response) => response.end('body'), { isRecording: () => false });
    expect(await (await fetch(front.baseUrl)).text()).toBe('body');
    expect(front.passed[0]?.answer).toMatchObject({ status: 200, body: undefined });
  });
});
