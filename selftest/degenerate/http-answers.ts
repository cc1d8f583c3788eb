import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { type DegenerateServer, type ExpectedExit, ignoreLostClient, listen } from './degenerate-server.ts';

/** A request that was read to its end. */
export interface ReceivedRequest {
  readonly method: string;
  /** As on the request line, with the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A whole answer; its length is announced when it is sent. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

type Respond = (request: ReceivedRequest, response: ServerResponse) => void;

/** Starts an HTTP server that reads each request whole and then lets `respond` write whatever it likes. */
export function startHttp(name: string, respond: Respond): Promise<DegenerateServer> {
  const server = createServer((incoming, response) => {
    response.on('error', ignoreLostClient);
    readBody(incoming).then(
      (body) => respond(receivedRequest(incoming, body), response),
      () => response.destroy(),
    );
  });
  // An idle connection closed just as the client reuses it would look like a reset that no row asks for.
  server.keepAliveTimeout = 0;
  return listen(name, server, 'request');
}

/** A row of a table of servers: what a run against it must end with, and how to start it under a name. */
export interface DegenerateRow {
  readonly expectedExit: ExpectedExit;
  readonly start: (name: string) => Promise<DegenerateServer>;
}

/** A server that writes whatever it likes. */
export function responding(expectedExit: ExpectedExit, respond: Respond): DegenerateRow {
  return { expectedExit, start: (name) => startHttp(name, respond) };
}

/** A server whose answers are whole and well framed. */
export function answering(
  expectedExit: ExpectedExit,
  answer: (request: ReceivedRequest) => Answer,
): DegenerateRow {
  return responding(expectedExit, (request, response) => send(response, answer(request)));
}

/** Writes `answer` and ends the response. */
export function send(response: ServerResponse, answer: Answer): void {
  const body = Buffer.from(answer.body);
  response.writeHead(answer.status, { ...answer.headers, 'content-length': body.length });
  response.end(body);
}

/** An answer with a JSON body; `headers` come on top of the content type. */
export function degenerateJson(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
}

async function readBody(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function receivedRequest(incoming: IncomingMessage, body: Buffer): ReceivedRequest {
  return { method: incoming.method ?? '', path: incoming.url ?? '', headers: incoming.headers, body };
}
