import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type FateKind, fateOf, type Trouble } from '../../../harness/front/fate.ts';
import { type ChaosProxy, startChaos } from '../../../harness/front/chaos.ts';
import { listening } from '../../fixtures/listening.ts';

const nothing: Trouble = { seed: 1, cut: 0, limited: 0, retryAfterSeconds: 3, unavailable: 0, delayMs: 0 };

/** Bodies of requests that arrived whole. */
interface Behind {
  readonly proxy: ChaosProxy;
  readonly arrived: string[];
}

async function behind(
  trouble: Partial<Trouble>,
  answer: (request: IncomingMessage, response: ServerResponse) => void = (_, response) =>
    void response.setHeader('x-server', 'here').end('x'.repeat(1_000)),
): Promise<Behind> {
  const arrived: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      arrived.push(body);
      answer(request, response);
    });
  });
  const baseUrl = await listening(server);
  const proxy = await startChaos({ baseUrl: `${baseUrl}/prefix` }, { ...nothing, ...trouble });
  onTestFinished(() => proxy.close());
  return { proxy, arrived };
}

/** A seed whose first request meets a fate. */
function seedFor(kind: FateKind, trouble: Partial<Trouble>): number {
  for (let seed = 0; ; seed += 1) if (fateOf({ ...nothing, ...trouble, seed }, 0).kind === kind) return seed;
}

function post({ proxy }: Behind, body: string): Promise<Response> {
  return fetch(`${proxy.baseUrl}/v0/mentions?limit=1`, { method: 'POST', body });
}

describe('the proxy', () => {
  it('passes everything on as it is where no trouble is asked for', async () => {
    let seen: IncomingMessage | undefined;
    const server = await behind({}, (request, response) => {
      seen = request;
      response.writeHead(418, { 'x-many': ['one', 'two'], date: 'once' }).end('short and stout');
    });
    const answer = await fetch(`${server.proxy.baseUrl}/v0/mentions?a=%20b`, {
      method: 'POST',
      headers: { 'x-own': 'yes' },
      body: 'body',
    });
    expect([answer.status, await answer.text()]).toEqual([418, 'short and stout']);
    expect([answer.headers.get('x-many'), answer.headers.get('date')]).toEqual(['one, two', 'once']);
    expect([seen?.url, seen?.method, seen?.headers['x-own']]).toEqual([
      '/prefix/v0/mentions?a=%20b',
      'POST',
      'yes',
    ]);
    expect(server.arrived).toEqual(['body']);
    expect(server.proxy.counts()).toMatchObject({ pass: 1, limited: 0 });
  });

  it('passes many requests on at once', async () => {
    const server = await behind({ delayMs: 20 });
    const answers = await Promise.all(Array.from({ length: 100 }, () => post(server, 'b')));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(server.proxy.counts().pass).toBe(100);
  });

  it.each<[FateKind, boolean]>([
    ['cut-in-request', false],
    ['cut-unanswered', true],
    ['cut-in-answer', true],
  ])('cuts a connection: %s, and the server has its request: %s', async (kind, hasArrived) => {
    const server = await behind({ cut: 1, seed: seedFor(kind, { cut: 1 }) });
    await expect(post(server, 'b'.repeat(100_000)).then((answer) => answer.text())).rejects.toThrow(
      /fetch failed|terminated|other side closed/,
    );
    expect(server.arrived.length).toBe(hasArrived ? 1 : 0);
    expect(server.proxy.counts()[kind]).toBe(1);
  });

  it('refuses with a 429 in the form of the contract, and the server hears nothing', async () => {
    const server = await behind({ limited: 1 });
    const answer = await post(server, 'b');
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '3']);
    expect(await answer.json()).toEqual({ error: { code: 'limited', message: 'too many requests' } });
    expect(server.arrived).toEqual([]);
  });

  it.each<[FateKind, boolean]>([
    ['unavailable', false],
    ['unavailable-unanswered', true],
  ])('answers as a gateway: %s, and the server has its request: %s', async (kind, hasArrived) => {
    const server = await behind({ unavailable: 1, seed: seedFor(kind, { unavailable: 1 }) });
    const answer = await post(server, 'b');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([503, 'text/html']);
    expect(server.arrived.length).toBe(hasArrived ? 1 : 0);
  });

  it('drops the connection where the server is not there', async () => {
    await using proxy = await startChaos({ baseUrl: 'http://127.0.0.1:1' }, nothing);
    await expect(fetch(proxy.baseUrl)).rejects.toThrow(/fetch failed|terminated|other side closed/);
  });

  it('makes no broken answer a whole one', async () => {
    const server = await behind({}, (_, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('half');
      setTimeout(() => response.destroy(), 20);
    });
    await expect(post(server, 'b').then((answer) => answer.text())).rejects.toThrow(
      /fetch failed|terminated|other side closed/,
    );
  });
});
