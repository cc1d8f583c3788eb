import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Reference, startReference } from '../../../reference/index.ts';
import type { Front } from '../../../harness/front/front.ts';
import { degenerateServers } from '../../../selftest/degenerate/servers.ts';
import { isUuid, validate } from '../../../spec/index.ts';

let reference: Reference;
beforeAll(async () => {
  reference = await startReference();
});
afterAll(() => reference.close());

async function started(name: string): Promise<Front> {
  const entry = degenerateServers.find((one) => one.name === name);
  if (entry === undefined) throw new Error(`no entry "${name}"`);
  const server = await entry.start({ upstream: reference.baseUrl, recording: [] });
  onTestFinished(() => server.close());
  return server;
}

function get(server: Front, path: string, token?: string): Promise<Response> {
  return fetch(server.baseUrl + path, { headers: bearer(token), redirect: 'manual' });
}

function post(server: Front, body: string | Uint8Array, token = 'a-token'): Promise<Response> {
  const headers = { ...bearer(token), 'content-type': 'application/json', 'idempotency-key': 'a-key' };
  return fetch(server.baseUrl + messagesPath(), { method: 'POST', headers, body });
}

function messagesPath(): string {
  return `/v0/channels/${reference.world.channelId}/messages`;
}

function bearer(token: string | undefined): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}

/** A connection that has asked for the mentions and does not hang up by itself. */
async function askedSocket(server: Front): Promise<Socket> {
  const socket = connect(Number(new URL(server.baseUrl).port), '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write('GET /v0/mentions HTTP/1.1\r\nHost: x\r\n\r\n');
  return socket;
}

/** Settles once the socket is closed, in whatever manner: `once` of `node:events` would reject on a reset. */
function closeOf(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once('close', () => resolve());
  });
}

/** Everything that arrives on the socket until it is closed. */
async function receivedUntilClose(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await closeOf(socket);
  return Buffer.concat(chunks).toString('latin1');
}

describe('the table of degenerate servers', () => {
  it('names each server once', () => {
    const names = degenerateServers.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)]);
  });

  it.each(degenerateServers)(
    '$name is never expected to pass, and closes under an open connection',
    async (entry) => {
      expect(entry.expectedExit.length).toBeGreaterThan(0);
      expect(entry.expectedExit).not.toContain(0);
      const server = await started(entry.name);
      const socket = await askedSocket(server);
      const closed = closeOf(socket);
      socket.resume();
      await server.close();
      await closed;
      await expect(fetch(server.baseUrl)).rejects.toThrow('fetch failed');
    },
  );

  it.each(degenerateServers.filter(({ needs }) => needs !== undefined))(
    '$name does not start without what it needs',
    async (entry) => {
      await expect(entry.start()).rejects.toThrow(entry.name);
    },
  );
});

describe('the constant servers', () => {
  it.each([200, 400, 401, 404])('answer %i and an empty object to everything', async (status) => {
    const server = await started(`constant-${status}-bare`);
    for (const answer of [await get(server, '/v0/mentions', 'a-token'), await post(server, 'not JSON')]) {
      expect(answer.status).toBe(status);
      expect(await answer.json()).toEqual({});
      expect(answer.headers.get('www-authenticate')).toBeNull();
    }
  });

  it('answer 200 with a valid page and an agent id', async () => {
    const answer = await get(await started('constant-200-plausible'), '/anything');
    expect(answer.status).toBe(200);
    expect(isUuid(answer.headers.get('x-service-agent-id') ?? '')).toBe(true);
    const body = await answer.json();
    expect(validate('mentions-response', body)).toEqual([]);
    expect(body).toHaveProperty('mentions.length', 1);
  });

  it.each([400, 401, 404])('answer %i with a valid error', async (status) => {
    const answer = await post(await started(`constant-${status}-plausible`), '{}');
    expect(answer.status).toBe(status);
    expect(answer.headers.get('www-authenticate')).toBe(status === 401 ? 'Bearer' : null);
    expect(validate('api-error', await answer.json())).toEqual([]);
  });
});

describe('the servers of empty pages', () => {
  it('answer the mentions call validly, with an agent id of each credential', async () => {
    const server = await started('empty-page-mentions');
    const answers = [await get(server, '/v0/mentions', 'one'), await get(server, '/v0/mentions', 'two')];
    const ids = answers.map((answer) => answer.headers.get('x-service-agent-id') ?? '');
    expect(ids.every(isUuid)).toBe(true);
    expect(new Set(ids).size).toBe(2);
    expect(validate('mentions-response', await answers[0]?.json())).toEqual([]);
  });

  it('accept a send with the page of every kind of read', async () => {
    const answer = await post(await started('empty-page-any'), '{"content":"x"}');
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({
      mentions: [],
      messages: [],
      page: { next_after: 0, has_more: false, high_watermark: 0 },
    });
  });
});

describe('the echo', () => {
  it('returns the fields of the body beside the request itself', async () => {
    const answer = await post(await started('echo'), '{"content":"here I am"}');
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({
      content: 'here I am',
      method: 'POST',
      path: messagesPath(),
      headers: { authorization: 'Bearer a-token' },
    });
  });

  it('returns the request alone when there is no JSON object', async () => {
    const answer = await get(await started('echo'), '/v0/mentions?after=0');
    expect(await answer.json()).toMatchObject({ method: 'GET', path: '/v0/mentions?after=0' });
  });
});

describe('the servers that do not speak', () => {
  it('keep a connection open in silence', async () => {
    const server = await started('silence');
    const socket = await askedSocket(server);
    const received = receivedUntilClose(socket);
    const first = await Promise.race([
      received,
      new Promise((resolve) => setTimeout(resolve, 200, 'still open')),
    ]);
    expect(first).toBe('still open');
    await server.close();
    expect(await received).toBe('');
  });

  it.each(['hang-up', 'hang-up-after-request'])('close without a word: %s', async (name) => {
    expect(await receivedUntilClose(await askedSocket(await started(name)))).toBe('');
  });

  it('reset only once the whole request is there', async () => {
    const server = await started('hang-up-after-request');
    await expect(post(server, 'x'.repeat(300_000))).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
  });
});

describe('the servers before a good one', () => {
  it('accept a send and have nothing afterwards', async () => {
    const server = await started('forgetful');
    const { author, reader } = reference.world.roles;
    const mentions = [{ kind: 'agent', id: reader.agentId }];
    const sent = await post(server, JSON.stringify({ content: 'remember me', mentions }), author.token);
    expect(sent.status).toBe(201);
    const page = { next_after: 0, has_more: false, high_watermark: 0 };
    const read = await get(server, `${messagesPath()}?after=0&limit=100&wait=25`, author.token);
    expect(await read.json()).toEqual({ messages: [], page });
    const listed = await get(server, '/v0/mentions', reader.token);
    expect(isUuid(listed.headers.get('x-service-agent-id') ?? '')).toBe(true);
    expect(await listed.json()).toEqual({ mentions: [], page });
  });

  it.each([
    ['forgetful', 'application/json', /^\{"error":/],
    ['null-bodies', 'application/json', /^null$/],
  ])('refuse what is to be refused: %s', async (name, type, body) => {
    const server = await started(name);
    const { author } = reference.world.roles;
    const answers = [
      [401, await get(server, '/v0/mentions', 'garbage')],
      [400, await get(server, '/v0/mentions?limit=0', author.token)],
      [400, await post(server, '{"content":""}', author.token)],
    ] as const;
    for (const [status, answer] of answers) {
      expect([answer.status, answer.headers.get('content-type')]).toEqual([status, type]);
      expect(await answer.text()).toMatch(body);
    }
    expect(answers[0][1].headers.get('www-authenticate')).toMatch(/^Bearer/);
  });

  it('answer a page with null, where bodies are null', async () => {
    const answer = await get(
      await started('null-bodies'),
      '/v0/mentions',
      reference.world.roles.reader.token,
    );
    expect([answer.status, await answer.text()]).toEqual([200, 'null']);
  });
});

describe('the servers that break the framing', () => {
  it('announces more than a whole valid page and closes', async () => {
    const [head = '', body = ''] = (
      await receivedUntilClose(await askedSocket(await started('cut-short')))
    ).split('\r\n\r\n');
    expect(validate('mentions-response', JSON.parse(body))).toEqual([]);
    expect(Number(/content-length: (\d+)/i.exec(head)?.[1])).toBe(body.length + 64);
  });

  it('says things that are not HTTP', async () => {
    const received = await receivedUntilClose(await askedSocket(await started('not-http')));
    expect(received).toMatch(/^SSH-2\.0/);
  });

  it('calls plain text gzip', async () => {
    const answer = await get(await started('invalid-gzip'), '/v0/mentions');
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    await expect(answer.text()).rejects.toThrow('terminated');
  });

  it('drips a byte at a time', async () => {
    const answer = await get(await started('slow-drip'), '/v0/mentions');
    const reader = answer.body?.getReader();
    const startedMs = performance.now();
    for (let count = 0; count < 3; count += 1) {
      expect((await reader?.read())?.value).toHaveLength(1);
    }
    expect(performance.now() - startedMs).toBeGreaterThan(180);
  });

  it('sends without end until it is closed', async () => {
    const server = await started('endless-body');
    const reader = (await get(server, '/v0/mentions')).body?.getReader();
    let total = 0;
    while (total < 5_000_000) total += (await reader?.read())?.value?.length ?? 0;
    await server.close();
    const rest = async (): Promise<void> => {
      while ((await reader?.read())?.done === false);
    };
    await expect(rest()).rejects.toThrow('terminated');
  });

  it('nests a million lists in well-formed JSON', async () => {
    const text = await (await get(await started('deep-nesting'), '/v0/mentions')).text();
    expect(
      /^\{"mentions":(\[+)(\]+),"page":/
        .exec(text)
        ?.slice(1)
        .map((run) => run.length),
    ).toEqual([1e6, 1e6]);
    expect(text).toHaveLength(
      2e6 + '{"mentions":,"page":{"next_after":0,"has_more":false,"high_watermark":0}}'.length,
    );
  });
});

describe('the servers behind a wrong base URL', () => {
  it('answers 200 with HTML', async () => {
    const answer = await get(await started('it-works'), '/v0/mentions');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/html');
    expect(await answer.text()).toContain('It works!');
  });

  it('answers 503 without an error of the service', async () => {
    const answer = await post(await started('unavailable'), '{}');
    expect(answer.status).toBe(503);
    expect(await answer.text()).toBe('no healthy upstream');
  });

  it('redirects to another path of its own', async () => {
    const answer = await get(await started('redirect'), '/v0/mentions?after=0');
    expect(answer.status).toBe(302);
    expect(answer.headers.get('location')).toBe('/moved/v0/mentions?after=0');
  });
});
