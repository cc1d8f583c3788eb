import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evidenceOf } from '../../../harness/client/evidence.ts';
import type { Exchange } from '../../../harness/client/exchange.ts';
import { KnownSecrets } from '../../../harness/output/known-secrets.ts';
import { exchangeOf } from '../../fixtures/exchange.ts';
import { lineOf } from './line-of.ts';

const rules = {
  secrets: new KnownSecrets(['s3cret-token']),
  runId: 'cf-0011',
  baseUrl: 'http://127.0.0.1:1',
};

function sendAnswered(json: unknown, body = '{"content":"x"}'): Exchange {
  const headers = { authorization: 'Bearer s3cret-token', 'idempotency-key': 'k' };
  return exchangeOf(
    { call: 'send', method: 'POST', path: '/v0/channels/c/messages', headers, body },
    { headers: { 'x-echo': ['Bearer s3cret-token'] }, bytes: Buffer.from(JSON.stringify(json)), json },
  );
}

describe('evidence', () => {
  it('never holds a secret, wherever the server echoes it', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[!-~]{12,40}$/), fc.string(), (secret, around) => {
        const exchange = sendAnswered(
          { echo: `${around}${secret}${around}` },
          `{"content":${JSON.stringify(secret)}}`,
        );
        const evidence = evidenceOf(exchange, { ...rules, secrets: new KnownSecrets([secret]) });
        expect(evidence.response?.body?.text ?? '').not.toContain(JSON.stringify(secret).slice(1, -1));
        expect(evidence.request.body?.text ?? '').not.toContain(JSON.stringify(secret).slice(1, -1));
      }),
    );
  });

  it('shows the object that a path leads into, in place of the beginning, with long strings described', () => {
    const message = {
      content: `cf-0011-1. ${'x'.repeat(5_000)}`,
      author: { email: 'owner@localhost', id: 7 },
    };
    const exchange = sendAnswered({ messages: [{ content: 'their words' }, message], s: 's3cret-token' });
    const shownAt = (...path: string[]) => evidenceOf(exchange, rules, { path }).response?.body;
    expect(shownAt('messages', '1', 'author', 'id')).toMatchObject({
      path: 'messages[1].author',
      text: expect.stringMatching(/^\{"email":"<15 bytes, .*>","id":7\}$/) as unknown,
      isCut: false,
      totalBytes: exchange.response?.bytes.byteLength,
    });
    expect(shownAt('messages', '1', 'content')?.text).toMatch(/^\{"content":"<5011 bytes, .*"author"/);
    expect(shownAt('messages', '0', 'content')?.text).not.toContain('their words');
    expect(shownAt('messages')).toEqual(evidenceOf(exchange, rules).response?.body);
  });

  it('shows of a long page its sequences in a row and what it says of itself, in place of the beginning', () => {
    const messages = Array.from({ length: 40 }, (_, index) => ({
      sequence: index === 39 ? 12 : index + 1,
      content: `a word of somebody else ${'x'.repeat(60)}`,
    }));
    const page = { next_after: 12, has_more: true, email: 'owner@localhost', note: 's3cret-token' };
    const { response } = evidenceOf(sendAnswered({ messages, page }), rules);
    expect(response?.body).toMatchObject({ isOutline: true, isCut: true });
    expect(response?.body?.text).toMatch(
      /^messages: 40 items with the sequences 1-38 ⟦39⟧ ⟦12⟧\npage: \{"next_after":12,"has_more":true,/,
    );
    expect(response?.body?.text).not.toMatch(/somebody|owner@|s3cret/);
    const short = evidenceOf(sendAnswered({ messages: messages.slice(0, 2), page }), rules);
    expect(short.response?.body?.text).toMatch(/^\{"messages":\[/);
  });

  it('shows what the history has of a page that was too long to keep', () => {
    const { response, ...rest } = sendAnswered({});
    const outline = { list: 'messages', sequences: [4n, 5n, 6n, 9n], page: { next_after: 9 } };
    const left = { status: 200, headers: {}, bytes: new Uint8Array(), json: undefined };
    const exchange = { ...rest, response: { ...left, leftOut: { bytes: 71_855, outline } } };
    expect(response).toBeDefined();
    expect(evidenceOf(exchange, rules).response?.body).toEqual({
      text: 'messages: 4 items with the sequences 4-6 9\npage: {"next_after":9}',
      isOutline: true,
      isCut: true,
      totalBytes: 71_855,
    });
  });

  it('shows what is ours and hides what is other people’s', () => {
    const json = {
      messages: [{ content: 'cf-0011-1. ours' }, { content: 'their words' }],
      members: [{ email: 'owner@localhost', first_name: 'A' }],
    };
    const text = evidenceOf(sendAnswered(json), rules).response?.body?.text ?? '';
    expect(text).toContain('cf-0011-1. ours');
    expect(text).not.toContain('their words');
    expect(text).not.toContain('owner@localhost');
    expect(text).toContain('11 bytes');
  });

  it('shows what stands behind a long text in a request, and the text by its length', () => {
    const sent = (body: string) => evidenceOf(sendAnswered({}, body), rules).request.body;
    const body = JSON.stringify({ content: 'x'.repeat(5_000), agent_host: 'here' });
    expect(sent(body)?.text).toMatch(
      /^\{"content":"x{40}… <5000 bytes, sha256 \w{12}>","agent_host":"here"\}$/,
    );
    expect(sent(body)).toMatchObject({ isCut: true, isOutline: true, totalBytes: body.length });
  });

  it('shows what stands behind a long text in an answer, and the text by its length', () => {
    const message = { content: `cf-0011-1. ${'x'.repeat(5_000)}`, sequence: 7 };
    const body = evidenceOf(sendAnswered({ message }), rules).response?.body;
    expect(body?.text).toMatch(
      /^\{"message":\{"content":"cf-0011-1\. x{29}… <5011 bytes, sha256 \w{12}>","sequence":7\}\}$/,
    );
    expect(body).toMatchObject({ isCut: true, isOutline: true });
  });

  it('tells the length of the longest text there is', () => {
    const message = { content: `cf-0011-1. ${'x'.repeat(499_989)}`, sequence: 7 };
    expect(evidenceOf(sendAnswered({ message }), rules).response?.body?.text).toContain('… <500000 bytes,');
    const page = { messages: [message, message], page: {} };
    const path = ['messages', '1'];
    expect(evidenceOf(sendAnswered(page), rules, { path }).response?.body?.text).toContain('<500000 bytes,');
  });

  it('shows the first of a long list in a long request, and how many more', () => {
    const body = JSON.stringify({
      content: 'x'.repeat(5_000),
      attachments: Array.from({ length: 21 }, (_, index) => `${index}`),
    });
    expect(evidenceOf(sendAnswered({}, body), rules).request.body?.text).toMatch(
      /"attachments":\["0","1","2","3","4","<16 more>"\]\}$/,
    );
  });

  it.each([
    ['is no JSON', `{"content":"${'x'.repeat(5_000)}`],
    ['has a field twice', `{"content":"${'x'.repeat(5_000)}","content":"y"}`],
    ['has white space', `{ "content": "${'x'.repeat(5_000)}" }`],
    ['is nested deeply', `{"content":${'['.repeat(5_000)}${']'.repeat(5_000)}}`],
  ])('shows the beginning of a long request that %s', (_, body) => {
    const shown = evidenceOf(sendAnswered({}, body), rules).request.body;
    expect(shown).toEqual({ text: body.slice(0, 2_000), totalBytes: body.length, isCut: true });
  });

  it('is bounded, and says how much there was', () => {
    const body = evidenceOf(sendAnswered({ content: `cf-0011${'x'.repeat(500_000)}` }), rules).response?.body;
    expect(body?.text.length).toBeLessThanOrEqual(2_000);
    expect(body?.isCut).toBe(true);
    expect(body?.totalBytes).toBeGreaterThan(500_000);
  });

  it.each([
    ['the variable that the target names', { source: 'env:AUTHOR_TOKEN' }, '$AUTHOR_TOKEN', undefined],
    [
      'the file that the target names',
      { source: 'file:a.token', file: "/it's/a.token" },
      String.raw`$(cat '/it'\''s/a.token')`,
      undefined,
    ],
    [
      'the variable of its role when the target holds it',
      { source: 'target file' },
      '$CONFORM_AUTHOR_TOKEN',
      'CONFORM_AUTHOR_TOKEN has to hold roles.author of the target file',
    ],
    [
      'the variable of its role when a flag holds it',
      { source: 'flag' },
      '$CONFORM_AUTHOR_TOKEN',
      'CONFORM_AUTHOR_TOKEN has to hold what --author-token was given',
    ],
  ])('prints a curl line with %s', (_, credential, expression, remark) => {
    const credentials = { author: { token: 's3cret-token', ...credential } };
    const line = lineOf(sendAnswered({}), { ...rules, credentials });
    expect(line).toContain(`-H "authorization: Bearer ${expression}"`);
    expect(line).not.toContain('s3cret-token');
    expect(line).toContain(`--data-binary '{"content":"x"}'`);
    expect(line.split(' # ')[1]).toBe(remark);
  });

  it.each([
    ['an older scheme', 'Token s3cret-token', '"authorization: Token $AUTHOR_TOKEN"'],
    ['more text at its end', 'Bearer s3cret-tokenX', '"authorization: Bearer ${AUTHOR_TOKEN}X"'],
    ['what a shell would read', 'Bearer s3cret-token$x', `'authorization: Bearer '"$AUTHOR_TOKEN"'$x'`],
  ])('names the variable of a token with %s', (_, authorization, header) => {
    const credentials = { author: { token: 's3cret-token', source: 'env:AUTHOR_TOKEN' } };
    const exchange = sendAnswered({});
    const request = { ...exchange.request, headers: { authorization } };
    expect(lineOf({ ...exchange, request }, { ...rules, credentials })).toContain(`-H ${header} `);
  });

  it('sends what goes with every request, a secret header by its variable, and trusts the authority of the target', () => {
    const connection = {
      headers: { 'x-gateway-key': 'gateway-s3cret-1', 'x-tenant': 'a b' },
      secretHeaders: ['x-gateway-key'],
      headerSources: { 'x-gateway-key': { source: 'env:GATEWAY_KEY' } },
      files: { ca: '/etc/own ca.pem', cert: '/c.pem', key: '/k.pem' },
    };
    const exchange = sendAnswered({});
    const line = lineOf(
      { ...exchange, request: { ...exchange.request, headers: {} } },
      { ...rules, secrets: new KnownSecrets(['gateway-s3cret-1']), connection },
    );
    expect(line).toContain(`-H "x-gateway-key: $GATEWAY_KEY" -H 'x-tenant: a b'`);
    expect(line).toContain(`--cacert '/etc/own ca.pem' --cert '/c.pem' --key '/k.pem'`);
  });

  it.each([
    ['GET', /^curl -sS -i '/],
    ['HEAD', /^curl -sS -i -I '/],
    ['OPTIONS', /^curl -sS -i -X OPTIONS '/],
  ])('asks with %s in a way that ends', (method, begin) => {
    const exchange = sendAnswered({});
    const request = { ...exchange.request, method, headers: {}, body: undefined };
    expect(lineOf({ ...exchange, request }, rules)).toMatch(begin);
  });

  it('makes a key fresh again that was made for the request, and no other', () => {
    const { request, ...exchange } = sendAnswered({});
    const headers = { 'idempotency-key': 'ee3452a6-f144-4509-b181-0f73abd1766a' };
    const keyIn = (hasFreshKey: boolean): string => {
      const line = lineOf({ ...exchange, request: { ...request, headers, hasFreshKey } }, rules);
      return execFileSync('bash', ['-c', line.replace(/^curl/, String.raw`printf '%s\n'`)], {
        encoding: 'utf8',
      });
    };
    expect(keyIn(true)).toMatch(/^idempotency-key: ee3452a6-f144-4509-b181-[0-9]{12}$/m);
    expect(keyIn(false)).toContain('idempotency-key: ee3452a6-f144-4509-b181-0f73abd1766a\n');
  });
});
