import { Agent, createServer, request as send } from 'node:http';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What stands before the service answers by itself: bytes as they go over the wire. */
type Below = (request: IncomingMessage) => string | undefined;

/** What an answer of the service is changed to on its way. */
type Changed = (body: string, request: IncomingMessage) => string;

/** A server in front of another. */
export interface Front {
  readonly baseUrl: string;
  /** Requests that it answered by itself, by the first line of the answer. */
  readonly answered: ReadonlyMap<string, number>;
  readonly close: () => Promise<void>;
}

export interface FrontOptions {
  readonly below?: Below;
  readonly changed?: Changed;
  /** True of a request that is never answered. */
  readonly silent?: () => boolean;
  /** Bytes of headers above which Node itself answers. */
  readonly maxHeaderSize?: number;
}

/** Starts a front; what it does not answer below is answered by the server behind it. */
export async function startFront(behind: string, options: FrontOptions): Promise<Front> {
  const { below = () => undefined, changed, silent, maxHeaderSize = 1_000_000 } = options;
  const agent = new Agent({ keepAlive: true });
  const answered = new Map<string, number>();
  const front = createServer({ maxHeaderSize }, (request, response) => {
    if (silent?.() === true) {
      request.resume();
      return;
    }
    const raw = below(request);
    if (raw !== undefined) {
      const [line = ''] = raw.split('\r\n');
      answered.set(line, (answered.get(line) ?? 0) + 1);
      // Whoever answers below does not read on.
      request.resume().on('end', () => request.socket.end(raw));
      return;
    }
    const { method, headers } = request;
    const onwards = send(new URL(behind), { agent, method, headers, path: request.url }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        const whole = Buffer.concat(chunks);
        const body = changed === undefined ? whole : Buffer.from(changed(whole.toString(), request));
        const { 'content-length': _, 'transfer-encoding': __, ...rest } = answer.headers;
        const own: OutgoingHttpHeaders = { ...rest, 'content-length': body.length };
        response.writeHead(answer.statusCode ?? 500, own).end(body);
      });
    });
    onwards.on('error', () => request.socket.destroy());
    response.on('close', () => response.writableEnded || onwards.destroy());
    request.pipe(onwards);
  });
  front.keepAliveTimeout = 60_000;
  await new Promise<void>((listening) => front.listen(0, '127.0.0.1', listening));
  return {
    baseUrl: `http://127.0.0.1:${(front.address() as AddressInfo).port}`,
    answered,
    close: async () => {
      agent.destroy();
      front.closeAllConnections();
      await new Promise((closed) => front.close(closed));
    },
  };
}

/** An answer with a body, as it goes over the wire; the connection ends with it. */
export function rawAnswer(
  statusLine: string,
  contentType: string,
  body: string,
  more: readonly string[] = [],
): string {
  const head = [
    `HTTP/1.1 ${statusLine}`,
    ...(body === '' ? [] : [`Content-Type: ${contentType}`]),
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...more,
    'Connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
