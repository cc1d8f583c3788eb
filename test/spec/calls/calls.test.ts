import { describe, expect, it } from 'vitest';
import {
  addressOf,
  idIn,
  listMentions,
  pairsOf,
  parameterOf,
  partsOfAddress,
  pathOf,
  readChannel,
  sendMessage,
} from '../../../spec/calls/index.ts';

describe('a query', () => {
  it('is written by name, and leaves out what has no value', () => {
    const { query } = listMentions({ after: 9_007_199_254_740_993n, limit: undefined, 'a b': 'é&=' });
    expect(query).toEqual([
      ['after', '9007199254740993'],
      ['a b', 'é&='],
    ]);
    expect(addressOf(listMentions({ after: 0, 'a b': 'é&=' }))).toBe('/v0/mentions?after=0&a+b=%C3%A9%26%3D');
    expect(addressOf(listMentions({ after: undefined }))).toBe('/v0/mentions');
  });

  it('may have a parameter twice', () => {
    const twice = listMentions([
      ['limit', '1'],
      ['limit', '2'],
    ]);
    expect(addressOf(twice)).toBe('/v0/mentions?limit=1&limit=2');
    expect(parameterOf(twice.query, 'limit')).toBeUndefined();
  });

  it('goes over the wire as it is where it is a text, and is still understood', () => {
    const odd = listMentions('&%6cimit=%31+&&after');
    expect(addressOf(odd)).toBe('/v0/mentions?&%6cimit=%31+&&after');
    expect(pairsOf(odd.query)).toEqual([
      ['limit', '1 '],
      ['after', ''],
    ]);
    expect(parameterOf(odd.query, 'limit')).toBe('1 ');
  });

  it('is not understood where it is no percent-encoded UTF-8', () => {
    expect(pairsOf('limit=%ff')).toBeUndefined();
    expect(parameterOf('limit=%ff', 'limit')).toBeUndefined();
  });

  it('is taken off an address and put back', () => {
    for (const address of ['/v0/mentions', '/v0/mentions?a=1?&b', '/?%'])
      expect(addressOf(partsOfAddress(address))).toBe(address);
  });
});

describe('the path of a call', () => {
  it('holds its id, whatever that is', () => {
    expect(pathOf('send', 'a')).toBe('/v0/channels/a/messages');
    expect(pathOf('overview', "$&$'")).toBe("/v1/human/workspaces/$&$'");
    expect(idIn('overview', pathOf('overview', "$&$'"))).toBe("$&$'");
    expect(idIn('receipts-list', '/v0/channels//receipts')).toBe('');
  });

  it('is told from every other', () => {
    expect(idIn('mentions', '/v0/mentions')).toBe('');
    expect(idIn('mentions', '/v0/mentions2')).toBeUndefined();
    expect(idIn('send', '/v0/channels/a/receipts')).toBeUndefined();
    expect(idIn('send', '/v0/channels/a/b/messages')).toBeUndefined();
    expect(idIn('send', '/v0/channels/messages')).toBeUndefined();
  });
});

describe('a send', () => {
  it('writes its body as JSON with exact integers, under its key', () => {
    expect(sendMessage('c', { content: 'é', n: 9_007_199_254_740_993n }, 'k')).toEqual({
      call: 'send',
      method: 'POST',
      path: '/v0/channels/c/messages',
      headers: { 'idempotency-key': 'k', 'content-type': 'application/json' },
      body: '{"content":"é","n":9007199254740993}',
    });
  });

  it('leaves a body alone that is given as it goes over the wire', () => {
    const bytes = Uint8Array.of(1, 255);
    expect(sendMessage('c', bytes, 'k').body).toBe(bytes);
    expect(sendMessage('c', '{', 'k').body).toBe('{');
  });
});

it('a read has neither body nor headers of its own', () => {
  expect(readChannel('c', { after: 0 })).toEqual({
    call: 'channel-read',
    method: 'GET',
    path: '/v0/channels/c/messages',
    query: [['after', '0']],
    headers: {},
  });
});
