import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HookFailed } from '../../../harness/errors.ts';
import { HookLinks } from '../../../harness/hooks/hook-links.ts';
import type { HookAnswer } from '../../../harness/hooks/hook-protocol.ts';
import { callHook } from '../../../harness/hooks/hooks.ts';
import { readTarget } from '../../../harness/config/reading/read-target.ts';
import type { UrlHook } from '../../../harness/config/target.ts';

const token = 's3cret-t0ken';
let server: Server;
let links: HookLinks;
let handle: (request: IncomingMessage, body: string, response: ServerResponse) => void;
let asked: { readonly request: IncomingMessage; readonly body: string }[] = [];

beforeEach(async () => {
  asked = [];
  server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      asked.push({ request, body });
      handle(request, body, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  links = new HookLinks(
    readTarget({ flags: { baseUrl: 'http://127.0.0.1:9' }, env: {}, cwd: '/' }).target,
    {},
  );
});
afterEach(async () => {
  await links.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function hook({ timeoutMs = 5_000 } = {}): UrlHook {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/operator?x=1`;
  return { url, headers: { authorization: 'Bearer operator' }, secretHeaders: ['authorization'], timeoutMs };
}

function revoke(given: UrlHook, signal = new AbortController().signal): Promise<HookAnswer> {
  const secrets = (): readonly string[] => [token, 'Bearer operator', 'operator'];
  return callHook('revoke', given, { token }, { baseUrl: 'http://b', env: {}, secrets, signal, links });
}

async function refusalOf(call: Promise<unknown>): Promise<string> {
  const error: unknown = await call.then(
    () => new Error('the hook was taken to have worked'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof HookFailed)) throw error;
  expect(error.message).not.toContain(token);
  expect(error.message).not.toContain('operator');
  expect(error.message).not.toMatch(/\n/);
  return error.message;
}

describe('a URL', () => {
  it('is posted the input as JSON, with the name of the hook and its headers', async () => {
    handle = (_request, _body, response) => void response.end('{}');
    expect(await revoke(hook())).toEqual({ output: {} });
    const [{ request, body } = { request: undefined, body: '' }] = asked;
    expect(request).toMatchObject({ method: 'POST', url: '/operator?x=1' });
    expect(JSON.parse(body)).toEqual({ token });
    expect(request?.headers).toMatchObject({
      authorization: 'Bearer operator',
      'content-type': 'application/json',
      'conform-hook': 'revoke',
      'conform-base-url': 'http://b',
    });
  });

  it('may answer with nothing, or that there is no such thing', async () => {
    handle = (_request, _body, response) => void response.writeHead(204).end();
    expect(await revoke(hook())).toEqual({ output: {} });
    handle = (_request, _body, response) => void response.end('{"unsupported": "why"}');
    expect(await revoke(hook())).toEqual({ unsupported: 'why' });
  });

  it('that redirects is not followed', async () => {
    handle = (_request, _body, response) => void response.writeHead(307, { location: '/elsewhere' }).end();
    expect(await refusalOf(revoke(hook()))).toMatch(
      /answered with status 307, and redirects are not followed$/,
    );
    expect(asked).toHaveLength(1);
  });

  it('that answers an error is quoted in one line, bounded and without secrets', async () => {
    handle = (_request, body, response) =>
      void response.writeHead(500).end(`no\n${body}${'x'.repeat(100_000)}`);
    const message = await refusalOf(revoke(hook()));
    expect(message).toMatch(
      /^hooks\.revoke: http:\/\/127\.0\.0\.1:\d+ answered with status 500: no \{"token":"<redacted>"\}x+/,
    );
    expect(message.length).toBeLessThan(700);
  });

  it('that answers no JSON, or too much of it, is named', async () => {
    handle = (_request, _body, response) => void response.end('<html>');
    expect(await refusalOf(revoke(hook()))).toContain('its output is not JSON');
    handle = (_request, _body, response) => void response.end(`"${'x'.repeat(2_000_000)}"`);
    expect(await refusalOf(revoke(hook()))).toContain('answered with more than 1000000 bytes');
  });

  it('that is slow is not waited for longer than a call may take, neither for its head nor for its body', async () => {
    handle = () => undefined;
    expect(await refusalOf(revoke(hook({ timeoutMs: 150 })))).toContain('gave no answer within 150 ms');
    handle = (_request, _body, response) => void response.write('{');
    expect(await refusalOf(revoke(hook({ timeoutMs: 150 })))).toContain('gave no answer within 150 ms');
  });

  it('where nobody listens is named', async () => {
    const gone = { ...hook(), url: 'http://127.0.0.1:9/' };
    expect(await refusalOf(revoke(gone))).toBe(
      'hooks.revoke: http://127.0.0.1:9 cannot be asked (ECONNREFUSED)',
    );
  });

  it('is let go of after an abort, which is no fault of the hook', async () => {
    handle = () => undefined;
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 100);
    await expect(revoke(hook(), controller.signal)).rejects.toMatchObject({ isInterrupted: true });
  });
});
