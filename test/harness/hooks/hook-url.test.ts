import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HookAnswer } from '../../../harness/hooks/hook-protocol.ts';
import type { UrlHook } from '../../../harness/config/target.ts';
import { refusalOf as hookRefusalOf, token, useHooks } from './use-hooks.ts';
import { KnownSecrets } from '../../../harness/output/known-secrets.ts';

const hooks = useHooks();
let server: Server;
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
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function hook({ timeoutMs = 5_000 } = {}): UrlHook {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/operator?x=1`;
  return { url, headers: { authorization: 'Bearer operator' }, secretHeaders: ['authorization'], timeoutMs };
}

const secrets = [token, 'Bearer operator', 'operator'];

function revoke(given: UrlHook, signal = new AbortController().signal): Promise<HookAnswer> {
  return hooks.revoke(given, { env: {}, secrets: new KnownSecrets(secrets), signal });
}

const refusalOf = (call: Promise<unknown>): Promise<string> => hookRefusalOf(call, secrets);

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
      'conform-base-url': 'http://127.0.0.1:9/prefix',
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
