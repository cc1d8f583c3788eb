import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { Answer } from '../model/answer.ts';
import type { Rules } from '../rules/rules.ts';
import { jsonText } from '../model/json-text.ts';

/** Serialises an answer and sends it. */
export function writeAnswer(rules: Rules, response: ServerResponse, answer: Answer): void {
  if (response.destroyed) return;
  if (answer.ending === 'silent') return;
  if (answer.ending === 'reset') return void response.socket?.resetAndDestroy();

  if (rules.sendsEarlyHints()) response.writeEarlyHints({ link: '</terms>; rel=preload' });
  const plain = bodyBytes(rules, answer.body);
  const coding = plain.length === 0 ? 'identity' : rules.contentCoding(acceptedCodings(response));
  const bytes = coding === 'gzip' ? gzipSync(plain) : plain;
  const headers = {
    ...(answer.body !== undefined && { 'content-type': rules.mediaType() }),
    ...(coding === 'gzip' && { 'content-encoding': 'gzip' }),
    'cache-control': 'no-store',
    ...answer.headers,
    ...(answer.status !== 204 && rules.announcesLength() && { 'content-length': String(bytes.length) }),
  };
  response.writeHead(
    answer.status,
    Object.entries(headers).flatMap(([name, value]) => [rules.headerName(name), value]),
  );
  if (answer.ending === 'truncated') {
    response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.destroy());
    return;
  }
  response.end(bytes);
}

function bodyBytes(rules: Rules, body: unknown): Buffer {
  if (body === undefined) return Buffer.alloc(0);
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return Buffer.from(rules.presentText(jsonText(body)));
}

function acceptedCodings(response: ServerResponse): string {
  const header = response.req.headers['accept-encoding'] ?? '';
  return Array.isArray(header) ? header.join(', ') : header;
}
