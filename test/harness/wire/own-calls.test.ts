import { describe, expect, it } from 'vitest';
import type { SentRequest } from '../../../spec/calls/index.ts';
import type { ReceivedResponse } from '../../../harness/client/exchange.ts';
import { defaultBindings } from '../../../harness/config/target.ts';
import { isFormOpen, isOwnRefusal } from '../../../harness/wire/own-calls.ts';
import { exchangeOf, requestOf } from '../../fixtures/exchange.ts';

const channel = '00f0a3c4-7d52-4b7e-8a68-1f0d3c5b7a99';

/** The request and the answer to it. */
function answered(request: Partial<SentRequest>, status: number, json?: unknown) {
  const { response } = exchangeOf({}, { status, json });
  return [requestOf(request), response as ReceivedResponse] as const;
}

function isOwn(path: string, status: number, call: 'other' | 'send' = 'other'): boolean {
  return isOwnRefusal(...answered({ call, path }, status), defaultBindings);
}

describe('a refusal of a call of the suite', () => {
  it.each([
    ['/v0/files', 413],
    ['/v0/files/1', 403],
    ['/v0/files/1/content', 410],
    [`/v0/channels/${channel}/receipts`, 401],
  ])('is one at %s with status %d', (path, status) => {
    expect(isOwn(path, status)).toBe(true);
  });

  it.each([
    ['a success', '/v0/files/1', 200],
    ['of another path', '/v0/files/1/content/2', 410],
    ['of words', '/v1/human/workspaces/me', 403],
  ])('is not what is %s', (_, path, status) => {
    expect(isOwn(path, status)).toBe(false);
  });

  it('is not that of a call of the contract, which is judged anyway', () => {
    expect(isOwn('/v0/files', 413, 'send')).toBe(false);
  });
});

describe('the form of an answer', () => {
  const messages = `/v0/channels/${channel}/messages`;
  const framework = { status: 400, error: 'Bad Request' };
  const own = { error: { code: 'invalid', message: 'no' } };
  const isOpen = (status: number, asked: Partial<SentRequest>, json: unknown): boolean =>
    isFormOpen(
      ...answered({ call: 'send', method: 'POST', path: messages, body: '{}', ...asked }, status, json),
    );

  it.each<[string, number, Partial<SentRequest>]>([
    ['a redirect', 308, {}],
    ['a refusal of a long body', 413, { body: 'x'.repeat(3_000_000) }],
    ['a refusal of a body without a length', 411, { headers: { 'transfer-encoding': 'chunked' } }],
    ['a refusal of an address that a firewall stops', 400, { path: `/v0/channels/${channel}%0A/messages` }],
    ['a refusal of a long query', 414, { query: `after=${'1'.repeat(3_000)}` }],
    ['a list of receipts that is not there', 404, { call: 'receipts-list' }],
    ['a way to upload that a router does not know', 501, { call: 'other', path: '/v0/files' }],
    ...[400, 401, 403, 404, 405, 410, 413, 415].map((status): [string, number, Partial<SentRequest>] => [
      'an upload that a gateway refuses',
      status,
      { call: 'other', path: '/v0/files' },
    ]),
    ['an address without an id', 404, { path: '/v0/channels/one/messages' }],
  ])('is open where it may come from elsewhere: %s', (_, status, asked) => {
    expect(isOpen(status, asked, framework)).toBe(true);
    expect(isOpen(status, asked, undefined)).toBe(true);
    // A redirect is no error, whatever it says.
    expect(isOpen(status, asked, own)).toBe(status < 400);
  });

  it.each<[string, number, Partial<SentRequest>]>([
    ['a refusal of an ordinary request', 400, {}],
    ['a channel that is not there', 404, {}],
    ['a content that is too long', 413, { body: 'x'.repeat(500_100) }],
    ['a file that is gone', 410, { call: 'other', path: '/v0/files/1/content' }],
    ['an error of the server at a call for files', 500, { call: 'other', path: '/v0/files/1/content' }],
    ['a lack of a credential, beside anything', 401, { body: 'x'.repeat(3_000_000) }],
    ['an error of the server', 500, { path: `/v0/channels/${channel}%0A/messages` }],
    ['a success', 200, { path: '/v0/channels/one/messages' }],
  ])('is that of the contract: %s', (_, status, asked) => {
    expect(isOpen(status, asked, framework)).toBe(false);
  });
});
