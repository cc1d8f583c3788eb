import { partsOfAddress, type CallName } from '../../../spec/calls/index.ts';
import { describe, expect, it } from 'vitest';
import { formFailures } from '../../../fuzz/judge/form-of-answer.ts';
import type { Exchange } from '../../../harness/client/exchange.ts';
import { defaultNames } from '../../../harness/config/target.ts';
import { exchangeOf } from '../../fixtures/exchange.ts';
import { listingOf, messageOf } from '../../fixtures/message.ts';

const facts = {
  names: defaultNames,
  runId: 'no run',
  isJudgedHere: (content: string | undefined) => content?.startsWith('arranged') === true,
};

function answered(
  address: string,
  answer: { readonly status?: number; readonly body: unknown; readonly type?: string },
  call: CallName = 'mentions',
): Exchange {
  const { status = 200, body, type = 'application/json' } = answer;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const headers = {
    'content-type': [type],
    [defaultNames.agentIdHeader.toLowerCase()]: ['0f8fad5b-d9cb-469f-a165-70867728950e'],
  };
  const json = typeof body === 'string' ? undefined : body;
  return exchangeOf(
    { call, ...partsOfAddress(address) },
    { status, headers, bytes: Buffer.from(text), json },
  );
}

function listing(...contents: readonly (readonly [content: string, isMalformed: boolean])[]): unknown {
  const messages = contents.map(([content, isMalformed], index) =>
    messageOf(index + 1, isMalformed ? { content, size_bytes: 0 } : { content }),
  );
  return listingOf(...messages);
}

function namedIn(exchange: Exchange, names = defaultNames): readonly string[] {
  return formFailures(exchange, { ...facts, names }).map(({ clause }) => clause);
}

describe('the form of a listing of mentions', () => {
  it('is judged by the messages that were arranged', () => {
    const good = listing(['arranged 1', false], ['arranged 2', false]);
    expect(namedIn(answered('/v0/mentions', { body: good }))).toEqual([]);
    const bad = listing(['arranged 1', false], ['arranged 2', true]);
    expect(namedIn(answered('/v0/mentions', { body: bad }))).toEqual(['message.size-bytes.min']);
  });

  it('is not judged by what a case or somebody else stored', () => {
    const stored = listing(['arranged 1', false], ['of a case', true]);
    expect(namedIn(answered('/v0/mentions', { body: stored }))).toEqual([]);
  });
});

it("an unknown provider may be the server's own word, until the target has a word for each of the four", () => {
  const source_session = { provider: 'anvil', surface: 'cli', session_id: 'session-1' };
  const body = listingOf(messageOf(1, { content: 'arranged 1' }, { source_session }));
  const [provider_a, provider_b, provider_c, provider_d] = ['bellows', 'crucible', 'drill', 'eyelet'];
  const names = { ...defaultNames, providers: { provider_a, provider_b, provider_c, provider_d } };
  expect(namedIn(answered('/v0/mentions', { body }))).toEqual([]);
  expect(namedIn(answered('/v0/mentions', { body }), names)).toEqual(['source-session.provider.values']);
});

describe('the form of a refusal', () => {
  const text = { status: 400, body: '400 Bad Request', type: 'text/plain' };
  const id = '0f8fad5b-d9cb-469f-a165-70867728950e';

  it.each([
    '/v0/mentions?limit=101',
    '/v0/mentions?limit=%41',
    `/v0/channels/${id}/messages?after=-1`,
    `/v1/human/workspaces/${id}`,
  ])('counts at %s', (path) => {
    expect(namedIn(answered(path, text))).toEqual([
      'service.bodies-are-json',
      'service.content-type-is-json',
    ]);
  });

  it.each([
    '/v0/mentions?limit=%',
    '/v0/mentions?limit=%FF',
    '/v0/mentions?limit=[1]',
    '/v0/mentions/',
    '//v0/mentions',
    '/v0/channels//messages',
    `/v0/channels/${id}%/messages`,
    `/v0/channels/${id}%2F/messages`,
    '/v0/channels/general/messages',
    '/v0/channels/../messages',
    '/v1/human/workspaces/me',
    `/v0/mentions?x=${'y'.repeat(3_000)}`,
  ])('is open at %s', (path) => {
    expect(namedIn(answered(path, text))).toEqual([]);
  });

  it('is open where a header is more than what passes everywhere', () => {
    const exchange = answered('/v0/mentions?limit=101', { status: 431, body: '' });
    const headers = { authorization: `Bearer ${'x'.repeat(20_000)}` };
    expect(namedIn({ ...exchange, request: { ...exchange.request, headers } })).toEqual([]);
  });

  it('is not asked of a redirect, which is no error', () => {
    const page = { status: 307, body: '<a href="/">Temporary Redirect</a>', type: 'text/html' };
    expect(namedIn(answered('/v0/mentions?limit=1', page))).toEqual([]);
  });

  it('is open where the list of receipts is missing', () => {
    const none = { status: 404, body: '404 page not found', type: 'text/plain' };
    expect(namedIn(answered(`/v0/channels/${id}/receipts`, none, 'receipts-list'))).toEqual([]);
    const channels = answered('/v0/channels', none, 'channels-list');
    expect(namedIn(channels)).toEqual(['service.bodies-are-json', 'service.content-type-is-json']);
  });
});
