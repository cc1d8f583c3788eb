import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { HookAnswer } from '../../../harness/hooks/hook-protocol.ts';
import type { UrlHook } from '../../../harness/config/target.ts';
import { listening } from '../../fixtures/listening.ts';
import { refusalOf, token, useHooks } from './use-hooks.ts';
import { KnownSecrets } from '../../../harness/output/known-secrets.ts';

const { revoke } = useHooks();
type Handler = (request: IncomingMessage, body: string, response: ServerResponse) => void;
const secrets = [token, 'Bearer operator', 'operator'];

/** A hook of a URL where this is done with each request, and what it was asked. */
async function served(
  handle: Handler,
  timeoutMs = 5_000,
): Promise<{ hook: UrlHook; asked: { readonly request: IncomingMessage; readonly body: string }[] }> {
  const asked: { request: IncomingMessage; body: string }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      asked.push({ request, body });
      handle(request, body, response);
    });
  });
  const url = `${await listening(server)}/operator?x=1`;
  const headers = { authorization: 'Bearer operator' };
  return { hook: { url, headers, secretHeaders: ['authorization'], timeoutMs }, asked };
}

const ask = (hook: UrlHook, signal = new AbortController().signal): Promise<HookAnswer> =>
  revoke(hook, { env: {}, secrets: new KnownSecrets(secrets), signal });
const ending =
  (status: number, text = '', headers = {}): Handler =>
  (_request, _body, response) =>
    void response.writeHead(status, headers).end(text);

describe('a URL', () => {
  it('is posted the input as JSON, with the name of the hook and its headers', async () => {
    const { hook, asked } = await served(ending(200, '{}'));
    expect(await ask(hook)).toEqual({ output: {} });
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

  it.each([
    ['with nothing', ending(204), { output: {} }],
    ['that there is no such thing', ending(200, '{"unsupported": "why"}'), { unsupported: 'why' }],
  ])('may answer %s', async (_, handle, answer) => {
    expect(await ask((await served(handle)).hook)).toEqual(answer);
  });

  it.each<[string, Handler, RegExp, number?]>([
    [
      'redirects',
      ending(307, '', { location: '/elsewhere' }),
      /answered with status 307, and redirects are not followed$/,
    ],
    [
      'answers an error',
      (_request, body, response) => void response.writeHead(500).end(`no\n${body}${'x'.repeat(100_000)}`),
      /^hooks\.revoke: http:\/\/127\.0\.0\.1:\d+ answered with status 500: no \{"token":"<redacted>"\}x+/,
    ],
    ['answers no JSON', ending(200, '<html>'), /its output is not JSON/],
    ['answers too much', ending(200, `"${'x'.repeat(2_000_000)}"`), /answered with more than 1000000 bytes/],
    ['keeps its head', () => undefined, /gave no answer within 150 ms/, 150],
    [
      'keeps the rest of its body',
      (_request, _body, response) => void response.write('{'),
      /gave no answer within 150 ms/,
      150,
    ],
  ])(
    'that %s is asked once, and told in one line, bounded and without secrets',
    async (_, handle, words, timeoutMs) => {
      const { hook, asked } = await served(handle, timeoutMs);
      const message = await refusalOf(ask(hook), secrets);
      expect(message).toMatch(words);
      expect(message.length).toBeLessThan(700);
      expect(asked).toHaveLength(1);
    },
  );

  it('where nobody listens is named', async () => {
    const { hook } = await served(ending(200));
    expect(await refusalOf(ask({ ...hook, url: 'http://127.0.0.1:9/' }), secrets)).toBe(
      'hooks.revoke: http://127.0.0.1:9 cannot be asked (ECONNREFUSED)',
    );
  });

  it('is let go of after an abort, which is no fault of the hook', async () => {
    const { hook } = await served(() => undefined);
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 100);
    await expect(ask(hook, controller.signal)).rejects.toMatchObject({ isInterrupted: true });
  });
});
