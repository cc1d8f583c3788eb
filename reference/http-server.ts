import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { dispatch } from './dispatch.ts';
import { parseQuery } from './http/query.ts';
import { answerParserError, refusalAnswer } from './http/refusal-answer.ts';
import { matchRoute, splitTarget } from './http/router.ts';
import { writeAnswer } from './http/write-answer.ts';
import type { Answer, AnsweredRequest } from './model/answer.ts';
import { Refusal } from './model/refusal.ts';
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
    const answering = answerRequest(service, request, response)
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

async function answerRequest(
  service: Service,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { rules, onAnswer } = service;
  const { path, query } = splitTarget(request.url ?? '/');
  const asked: { -readonly [Key in keyof AnsweredRequest]: AnsweredRequest[Key] } = {
    route: null,
    method: request.method ?? '',
    path,
    query: {},
    headers: request.headers,
    actor: null,
  };
  let given: Answer;
  try {
    given = await answerOfCall(service, request, response, query, asked);
  } catch (error) {
    given = refusalAnswer(rules, error, asked.route);
  }
  writeAnswer(rules, response, (await onAnswer?.(given, asked)) ?? given);
}

/** Runs the request and notes in `asked` what becomes known of it. */
function answerOfCall(
  service: Service,
  request: IncomingMessage,
  response: ServerResponse,
  query: string,
  asked: { -readonly [Key in keyof AnsweredRequest]: AnsweredRequest[Key] },
): Promise<Answer> {
  checkRequestLine(request);
  const { route, parameters } = matchRoute(asked.method, asked.path);
  asked.route = route.name;
  const pairs = parseQuery(query);
  asked.query = Object.fromEntries(pairs);
  const call = {
    service,
    route,
    request,
    parameters,
    query: asked.query,
    goneSignal: () => goneSignalOf(response),
  };
  return dispatch(call, pairs, (actor) => {
    asked.actor = actor;
  });
}

function checkRequestLine({ headers, httpVersion }: IncomingMessage): void {
  if (httpVersion === '1.1' && headers.host === undefined)
    throw new Refusal('invalid', 'a Host header is needed');
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue') {
    throw new Refusal('unmet-expectation', 'only 100-continue can be expected');
  }
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
