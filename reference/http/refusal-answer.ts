import type { Duplex } from 'node:stream';
import type { Answer } from '../model/answer.ts';
import { jsonText } from '../model/json-text.ts';
import { Refusal } from '../model/refusal.ts';
import type { RouteName } from '../model/routes.ts';
import type { Rules } from '../rules/rules.ts';

/** The answer to a request that failed: an ApiError, whatever was thrown. */
export function refusalAnswer(rules: Rules, error: unknown, route: RouteName | null): Answer {
  const refusal = error instanceof Refusal ? error : internal(error);
  return {
    status: rules.statusOfRefusal(refusal.kind, route),
    headers: refusalHeaders(rules, refusal),
    body: rules.errorBody(rules.codeOfRefusal(refusal.kind), refusal.message, refusal.extras.details),
  };
}

function refusalHeaders(rules: Rules, { extras }: Refusal): Record<string, string> {
  const challenge = extras.credentialProblem ? rules.challenge(extras.credentialProblem) : null;
  const retryAfter =
    extras.retryAfterSeconds === undefined ? null : rules.retryAfter(extras.retryAfterSeconds);
  return {
    ...(challenge !== null && { 'www-authenticate': challenge }),
    ...(retryAfter !== null && { 'retry-after': retryAfter }),
    ...(extras.allow && { allow: extras.allow.join(', ') }),
  };
}

/** A fault of our own: the client learns that there was one, the operator what it was. */
function internal(error: unknown): Refusal {
  console.error(error);
  return new Refusal('internal', 'the service failed; the fault is its own');
}

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
