import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerRequest } from './answer-request.ts';
import { readJsonObject } from './http/body.ts';
import { answerParserError } from './http/refusal-answer.ts';
import { splitTarget } from './http/router.ts';
import { writeAnswer } from './http/write-answer.ts';
import { Refusal } from './model/refusal.ts';
import type { Request } from './model/request.ts';
import type { Service } from './service/service.ts';

/** A listening HTTP server. */
interface Listener {
  readonly port: number;
  /** Answers what is open, then closes every connection. */
  close(): Promise<void>;
}

/** Idle connections stay open longer than a usual client keeps them, so that it is the client who lets go. */
const keepAliveTimeoutMs = 65_000;

/** How long open requests get to finish when the server closes. */
const closingGraceMs = 500;

/** Serves `service` on `host` and `port`; port 0 takes a free one. */
export async function listenAt(service: Service, host: string, port: number): Promise<Listener> {
  const { rules } = service;
  const server = createServer({
    keepAliveTimeout: keepAliveTimeoutMs,
    maxHeaderSize: 32 * 1024,
    requireHostHeader: false,
  });
  const underWay = new Set<Promise<void>>();
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const answering = answerRequest(service, requestOf(service, request, response))
      .then((answer) => writeAnswer(rules, response, answer))
      .catch((error: unknown) => {
        console.error(error);
        response.destroy();
      })
      .finally(() => underWay.delete(answering));
    underWay.add(answering);
  };
  server
    .on('request', handle)
    .on('checkExpectation', handle)
    .on('clientError', (error, socket) => answerParserError(rules, error, socket))
    .on('connect', (_request, socket) => answerParserError(rules, new Error('no tunnels'), socket));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return { port: (server.address() as AddressInfo).port, close: () => close(server, underWay) };
}

/** A request of HTTP as the service takes it. */
function requestOf(service: Service, incoming: IncomingMessage, response: ServerResponse): Request {
  let body: ReturnType<Request['body']> | undefined;
  return {
    ...splitTarget(incoming.url ?? '/'),
    method: incoming.method ?? '',
    headers: incoming.headers,
    fault: faultOf(incoming),
    connection: incoming.socket,
    body: () => (body ??= readJsonObject(service, incoming)),
    goneSignal: () => goneSignalOf(response),
  };
}

function faultOf({ headers, httpVersion }: IncomingMessage): Refusal | undefined {
  if (httpVersion === '1.1' && headers.host === undefined)
    return new Refusal('invalid', 'a Host header is needed');
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue')
    return new Refusal('unmet-expectation', 'only 100-continue can be expected');
  return undefined;
}

function goneSignalOf(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => controller.abort());
  return controller.signal;
}

async function close(server: Server, underWay: ReadonlySet<Promise<void>>): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const impatience = setTimeout(() => server.closeAllConnections(), closingGraceMs);
  await closed;
  clearTimeout(impatience);
  // Whose client has gone may still be at work, and nobody may close the store on it.
  await Promise.race([Promise.all(underWay), sleep(closingGraceMs, undefined, { ref: false })]);
}
