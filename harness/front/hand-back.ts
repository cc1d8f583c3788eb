import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { ofConnection } from './upstream.ts';

/** A whole answer. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Buffer;
}

/** What stands in for an answer: one of its own, bytes and the end of the connection, or whatever is done with that. */
export type Instead =
  | (Omit<Answer, 'body'> & { readonly body: string | Buffer })
  | string
  | Buffer
  | ((socket: Socket) => void);

/** Between two pieces of an answer, in ms. */
const pieceMs = 40;

/** Headers that say how a body is framed: each sender says that for itself. */
export const ofFraming: ReadonlySet<string> = new Set([
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
]);

/** Answers in the server's place. */
export function answerInstead(instead: Instead, incoming: IncomingMessage, outgoing: ServerResponse): void {
  incoming.resume();
  if (typeof instead === 'function') instead(incoming.socket);
  else if (typeof instead === 'string' || Buffer.isBuffer(instead))
    whenRead(incoming, () => incoming.socket.end(instead));
  else outgoing.writeHead(instead.status, instead.headers as OutgoingHttpHeaders).end(instead.body);
}

function whenRead(incoming: IncomingMessage, then: () => void): void {
  if (incoming.readableEnded) then();
  else incoming.once('end', then);
}

/** Hands back another answer than the one that came, or that one in pieces. */
export async function handBack(
  answer: IncomingMessage,
  outgoing: ServerResponse,
  {
    changed = (same) => same,
    pieces = 1,
  }: { readonly changed?: (answer: Answer) => Answer; readonly pieces?: number },
): Promise<void> {
  const chunks: Buffer[] = [];
  answer.on('data', (chunk: Buffer) => chunks.push(chunk)).resume();
  await new Promise((resolve) => answer.once('end', resolve));
  const given = {
    status: answer.statusCode ?? 500,
    headers: withoutFraming(answer),
    body: Buffer.concat(chunks),
  };
  const { status, headers, body } = changed(given);
  outgoing.writeHead(status, { ...ofConnection(answer), ...headers } as OutgoingHttpHeaders);
  const size = Math.max(1, Math.ceil(body.length / pieces));
  for (let at = size; at < body.length; at += size) {
    outgoing.write(body.subarray(at - size, at));
    await delay(pieceMs);
  }
  outgoing.end(body.subarray(Math.max(0, Math.floor((body.length - 1) / size) * size)));
}

function withoutFraming({ headers }: IncomingMessage): Answer['headers'] {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || ofFraming.has(name) ? [] : [[name, value]],
    ),
  );
}

/** Passes a part of an answer on, and drops its connection; the last byte never passes, so that no answer of known length is whole. */
export function cutAnswer(answer: IncomingMessage, outgoing: ServerResponse, share: number): void {
  outgoing.writeHead(answer.statusCode ?? 502, answer.statusMessage ?? '', answer.rawHeaders);
  outgoing.flushHeaders();
  let left = Math.floor(share * Math.max(0, lengthOf(answer) - 1));
  answer.on('data', (chunk: Buffer) => {
    if (left > 0) outgoing.write(chunk.subarray(0, left));
    left -= chunk.length;
    if (left <= 0) setImmediate(() => outgoing.destroy());
  });
  answer.on('end', () => outgoing.destroy()).resume();
}

/** Passes a part of a request on, and drops both connections; a request without a body never arrives. */
export function cutRequest(
  incoming: IncomingMessage,
  passed: ClientRequest,
  outgoing: ServerResponse,
  share: number,
): void {
  const cut = (): void => {
    passed.destroy();
    outgoing.destroy();
  };
  let left = Math.floor(share * Math.max(0, lengthOf(incoming) - 1));
  incoming.on('data', (chunk: Buffer) => {
    if (left > 0) passed.write(chunk.subarray(0, left));
    left -= chunk.length;
    if (left <= 0) setImmediate(cut);
  });
  incoming.on('end', cut).resume();
}

/** Bytes of the body as announced; one that does not say passes hardly at all. */
function lengthOf({ headers }: IncomingMessage): number {
  return Number(headers['content-length'] ?? 0);
}
