import type { Duplex } from 'node:stream';
import { Refusal } from '../model/refusal.ts';
import type { Rules } from '../rules/rules.ts';
import { refusalAnswer } from './refusal-answer.ts';
import { jsonText } from '../model/json-text.ts';

/** Answers what the HTTP parser refused before there was a request, and closes the connection. */
export function answerParserError(rules: Rules, error: Error & { code?: string }, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const { status, headers, body } = refusalAnswer(rules, refusalFor(error.code), null);
  const text = jsonText(body);
  const head = [
    `HTTP/1.1 ${status} Refused`,
    `content-type: ${rules.mediaType()}`,
    `content-length: ${Buffer.byteLength(text)}`,
    'connection: close',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`);
}

function refusalFor(code: string | undefined): Refusal {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new Refusal('headers-too-large', 'the header fields are too large');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Refusal('timeout', 'the request was not sent in time');
  return new Refusal('invalid', 'the request is not HTTP/1.1');
}
