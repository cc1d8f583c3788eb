import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { clientOf } from '../fixtures/client.ts';
import { json, raw, sockets } from '../fixtures/front.ts';

/** What the client makes of an answer of these bytes, after which the connection ends; commands at such servers are rows of `answers/`. */
async function madeOf(bytes: Buffer | string): Promise<string> {
  const open = sockets((socket) => void socket.once('data', () => socket.end(bytes)));
  await using server = await open({ baseUrl: '' });
  const timeouts = { connectMs: 5_000, answerMs: 5_000 };
  const client = clientOf(server.baseUrl, { timeouts, env: {} });
  const path = '/v0/mentions';
  const request = { call: 'mentions', method: 'GET', path, headers: {}, body: undefined } as const;
  const { fault, response } = await client.exchange('author', request);
  return fault === undefined ? `json ${JSON.stringify(response?.json)}` : `${fault.kind}: ${fault.message}`;
}

const ofJson = 'Content-Type: application/json';
const chunked = 'Transfer-Encoding: chunked';
const unpackedTooLarge = 'oversize: an answer over 52000000 bytes once it is decompressed';
const spaces = Buffer.alloc(100_000_000, ' ');

function encoded(body: Buffer, encoding: string): Buffer {
  return json('200 OK', body, [`Content-Encoding: ${encoding}`]);
}

function mentioning(text: string): Buffer {
  return json('200 OK', `{"mentions":${text}}`);
}

it.each<[string, Buffer | string, string]>([
  ['a body shorter than its length', raw('200 OK', [ofJson, 'Content-Length: 100'], '{}'), 'reset: '],
  ['a length that is no number', raw('200 OK', [ofJson, 'Content-Length: many'], '{}'), 'protocol: '],
  ['a negative length', raw('200 OK', [ofJson, 'Content-Length: -1'], '{}'), 'protocol: '],
  ['two lengths', raw('200 OK', [ofJson, 'Content-Length: 2', 'Content-Length: 3'], '{} '), 'truncated: '],
  [
    'a length beside chunks',
    raw('200 OK', [ofJson, 'Content-Length: 2', chunked], '2\r\n{}\r\n0\r\n\r\n'),
    'truncated: ',
  ],
  ['a chunk of a size that is no number', raw('200 OK', [ofJson, chunked], 'zz\r\n{}'), 'protocol: '],
  ['a chunk of 2^64 bytes', raw('200 OK', [ofJson, chunked], 'ffffffffffffffff1\r\n{}'), 'protocol: '],
  ['chunks that break off', raw('200 OK', [ofJson, chunked], '2\r\n{}\r\n'), 'reset: '],
  ['a status of four digits', raw('2000 OK', [ofJson], '{}'), 'protocol: '],
  ['a status of 99', raw('099 Low', [ofJson], '{}'), 'protocol: the answer is not HTTP'],
  ['a version of HTTP that does not exist', 'HTTP/9.9 200 OK\r\n\r\n{}', 'protocol: '],
  [
    'a switch of protocols',
    raw('101 Switching Protocols', ['Upgrade: websocket', 'Connection: Upgrade']),
    'reset: ',
  ],
  ['no bytes', '', 'reset: '],
  ['deflate that grows', encoded(deflateSync(spaces), 'deflate'), unpackedTooLarge],
  ['brotli that grows', encoded(brotliCompressSync(spaces), 'br'), unpackedTooLarge],
  [
    'gzip that grows layer by layer',
    encoded(gzipSync(gzipSync(gzipSync(spaces))), 'gzip, gzip, gzip'),
    unpackedTooLarge,
  ],
  ['four layers', encoded(Buffer.from('{}'), 'gzip, gzip, gzip, gzip'), 'oversize: over 3 layers'],
  ['gzip that breaks off', encoded(gzipSync('{}').subarray(0, 20), 'gzip'), 'truncated: the body does not'],
  [
    'a million names',
    json('200 OK', `{${'"key":1,'.repeat(1e6)}"end":1}`),
    'oversize: JSON with over 500000',
  ],
  [
    'a number of a million digits',
    mentioning('9'.repeat(1e6)),
    'oversize: JSON with a number of over 200000',
  ],
  [
    '100,000 levels of lists',
    mentioning('['.repeat(1e5) + ']'.repeat(1e5)),
    'oversize: JSON nested over 256',
  ],
  [
    '50,000 levels of objects',
    mentioning(`${'{"a":'.repeat(5e4)}1${'}'.repeat(5e4)}`),
    'oversize: JSON nested over 256',
  ],
])('the client names an answer that is none: %s', async (_, bytes, fault) => {
  expect((await madeOf(bytes)).slice(0, fault.length)).toBe(fault);
});

it.each<[string, Buffer, string]>([
  ['whose JSON breaks off for no JSON', json('200 OK', '{"mentions":['), 'undefined'],
  ['with NaN for no JSON', mentioning('NaN'), 'undefined'],
  ['that is a web page for no JSON', json('200 OK', '<!doctype html>'), 'undefined'],
  ['in UTF-16 for no JSON', json('200 OK', Buffer.from('\ufeff{}', 'utf16le')), 'undefined'],
  ['with a name that stands twice by its last', json('200 OK', '{"a":1,"a":2}'), '{"a":2}'],
  ['with a byte order mark without it', json('200 OK', Buffer.from('\ufeff{}')), '{}'],
  ['in an encoding of an unknown name as it is', encoded(Buffer.from('{}'), 'rot13'), '{}'],
  ['in brotli in deflate', encoded(deflateSync(brotliCompressSync('{}')), 'br, deflate'), '{}'],
  [
    'in a charset of an unknown name as it is',
    raw('200 OK', [`${ofJson}; charset=x-none`, 'Content-Length: 2'], '{}'),
    '{}',
  ],
])('the client takes an answer %s', async (_, bytes, value) => {
  expect(await madeOf(bytes)).toBe(`json ${value}`);
});
