import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { useReference } from './use-reference.ts';

const used = useReference();

/** Everything that comes back on one connection for the bytes sent, once the server closed it, with or without a reset. */
function exchange(bytes: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(used.reference.baseUrl);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    let received = '';
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString();
    });
    socket.on('error', () => {}).on('close', () => resolve(received));
  });
}

function bodyOf(raw: string): { error: { code: string } } {
  return JSON.parse(raw.slice(raw.indexOf('\r\n\r\n') + 4)) as { error: { code: string } };
}

function post(body: string | Uint8Array, headers: Record<string, string> = {}): Promise<[number, string]> {
  return used
    .as('author')
    .request('POST', `/v0/channels/${used.world.channelId}/messages`, {
      body,
      headers: { 'idempotency-key': crypto.randomUUID(), ...headers },
    })
    .then(({ status, body: answer }) => [status, answer.error?.code]);
}

describe('every refusal is an ApiError', () => {
  it.each(['/', '/v0', '/v0/mentions/', '/V0/mentions', '//v0/mentions', '/v0/channels/%ff/messages/x'])(
    'for the unknown path %s, with 404',
    async (path) => {
      const { status, body } = await used.as('reader').get(path);
      expect([status, body.error.code]).toEqual([404, 'not_found']);
    },
  );

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('for the method %s, with 405 and Allow', async (method) => {
    const { status, headers, body } = await used.as('reader').request(method, '/v0/mentions');
    expect([status, headers.get('allow'), body.error.code]).toEqual([405, 'GET', 'wrong_method']);
  });

  it('for a path that cannot be decoded, with 400', async () => {
    expect((await used.as('reader').get('/v0/channels/%ff/messages')).status).toBe(400);
  });

  it('for a body that is no JSON object in UTF-8, with 400', async () => {
    expect(await post('{"content":')).toEqual([400, 'invalid']);
    expect(await post('')).toEqual([400, 'invalid']);
    expect(await post('[]')).toEqual([400, 'invalid']);
    expect(await post('null')).toEqual([400, 'invalid']);
    expect(await post('"content"')).toEqual([400, 'invalid']);
    expect(await post(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)).toEqual([400, 'invalid']);
    expect(await post('\uFEFF{"content":"x"}')).toEqual([400, 'invalid']);
    expect(await post(Buffer.from([...Buffer.from('{"content":"'), 0xff, ...Buffer.from('"}')]))).toEqual([
      400,
      'invalid',
    ]);
  });

  it('for another media type or a compressed body, with 415', async () => {
    expect(await post('{"content":"x"}', { 'content-type': 'text/plain' })).toEqual([
      415,
      'unsupported_media_type',
    ]);
    expect(await post('{"content":"x"}', { 'content-type': 'application/json; charset=latin1' })).toEqual([
      415,
      'unsupported_media_type',
    ]);
    expect((await post('x', { 'content-encoding': 'gzip' }))[0]).toBe(415);
    expect((await post('{"content":"x"}', { 'content-type': 'Application/JSON; charset=UTF-8' }))[0]).toBe(
      201,
    );
  });

  it('for what is not HTTP, with 400 and a closed connection', async () => {
    const raw = await exchange('NONSENSE\r\n\r\n');
    expect(raw).toMatch(/^HTTP\/1\.1 400 /);
    expect(bodyOf(raw).error.code).toBe('invalid');
  });

  it('for headers beyond measure, with 431', async () => {
    const raw = await exchange(`GET /health HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(40_000)}\r\n\r\n`);
    expect(raw).toMatch(/^HTTP\/1\.1 431 /);
    expect(bodyOf(raw).error.code).toBe('headers_too_large');
  });

  it('for a missing Host and for a strange Expect', async () => {
    const noHost = await exchange('GET /health HTTP/1.1\r\nConnection: close\r\n\r\n');
    expect([noHost.slice(0, 12), bodyOf(noHost).error.code]).toEqual(['HTTP/1.1 400', 'invalid']);
    const strange = await exchange(
      'GET /health HTTP/1.1\r\nHost: x\r\nExpect: x\r\nConnection: close\r\n\r\n',
    );
    expect([strange.slice(0, 12), bodyOf(strange).error.code]).toEqual(['HTTP/1.1 417', 'unmet_expectation']);
  });
});

describe('a body beyond the cap', () => {
  const path = (): string => `/v0/channels/${used.world.channelId}/messages`;
  const head = (length: string): string =>
    [
      `POST ${path()} HTTP/1.1`,
      'Host: x',
      `Authorization: Bearer ${used.world.roles.author.token}`,
      'Content-Type: application/json',
      'Idempotency-Key: k',
      length,
      '\r\n',
    ].join('\r\n');
  const nextRequest = 'GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
  const tooMuch = 8 * 1024 * 1024 + 1;

  it('is refused with 413 when it is announced, and the connection goes on', async () => {
    const raw = await exchange(head(`Content-Length: ${tooMuch}`) + 'x'.repeat(tooMuch) + nextRequest);
    expect(raw.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200']);
  });

  it('is refused with 413 when it comes in chunks, and the connection goes on', async () => {
    const chunk = `${(1024 * 1024).toString(16)}\r\n${'x'.repeat(1024 * 1024)}\r\n`;
    const raw = await exchange(
      `${head('Transfer-Encoding: chunked')}${chunk.repeat(9)}0\r\n\r\n${nextRequest}`,
    );
    expect(raw.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200']);
  });

  it('is read no further than that when it never ends', async () => {
    const chunk = `${(1024 * 1024).toString(16)}\r\n${'x'.repeat(1024 * 1024)}\r\n`;
    await expect(exchange(head('Transfer-Encoding: chunked') + chunk.repeat(120))).resolves.toMatch(
      /^HTTP\/1\.1 413/,
    );
  });
});

it('a body larger than the capacity for bodies is refused with 429, then there is room again', async () => {
  used.operator.setLimit('bodyBytesInFlight', 1000);
  try {
    expect(await post(JSON.stringify({ content: 'x'.repeat(1000) }))).toEqual([429, 'rate_limited']);
    expect((await post(JSON.stringify({ content: 'x'.repeat(500) })))[0]).toBe(201);
  } finally {
    used.operator.setLimit('bodyBytesInFlight', null);
  }
});

it('a body in small chunks is read whole', async () => {
  const body = '{"content":"drop by drop"}';
  const chunks = body.replaceAll(/./g, (character) => `1\r\n${character}\r\n`);
  const raw = await exchange(
    [
      `POST /v0/channels/${used.world.channelId}/messages HTTP/1.1`,
      'Host: x',
      `Authorization: Bearer ${used.world.roles.author.token}`,
      'Content-Type: application/json',
      'Idempotency-Key: k',
      'Transfer-Encoding: chunked',
      'Connection: close',
      '',
      `${chunks}0\r\n\r\n`,
    ].join('\r\n'),
  );
  expect(raw).toMatch(/^HTTP\/1\.1 201 /);
});
