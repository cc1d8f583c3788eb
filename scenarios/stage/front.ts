import { createServer, request as openRequest } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { endToEnd, mostHeaderBytes } from '../../front/upstream.ts';
import type { Exchange } from '../../harness/client/exchange.ts';
import {
  headerPairs,
  recordedExchange,
  type RecordedAnswer,
} from '../../harness/traffic/recorded-exchange.ts';

/** A server on loopback that hands requests and answers on as they are, and tells of each exchange. */
export interface Front {
  readonly baseUrl: string;
  readonly close: () => Promise<void>;
}

interface FrontParts {
  /** Who asks, by what stands in `Authorization`. */
  readonly actorOf: (authorization: string | undefined) => string;
  /** Where the requests of an actor go. */
  readonly upstreamOf: (actor: string) => string;
  readonly onExchange: (exchange: Exchange) => void;
}

/** Starts it on a free port. */
export async function openFront(parts: FrontParts): Promise<Front> {
  const sockets = new Set<Socket>();
  let exchanges = 0;
  const server = createServer({ maxHeaderSize: mostHeaderBytes, requestTimeout: 0 }, (incoming, outgoing) => {
    exchanges += 1;
    void handOn(exchanges, { incoming, outgoing, ...parts });
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

interface Passage extends FrontParts {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

async function handOn(id: number, passage: Passage): Promise<void> {
  const { incoming, outgoing, actorOf, upstreamOf, onExchange } = passage;
  const startedMs = performance.now();
  outgoing.on('error', () => undefined);
  const actor = actorOf(incoming.headers.authorization);
  const body = await bytesOf(incoming).catch(() => undefined);
  // What never came as a whole is no request.
  if (body === undefined) return;
  const { method = '', url = '', rawHeaders } = incoming;
  const request = { method, address: url, headers: headerPairs(rawHeaders), body };
  const told = (answer: RecordedAnswer): void => {
    const times = { id, startedMs, endedMs: performance.now() };
    onExchange({ ...recordedExchange(request, answer, times), actor });
  };
  try {
    const { answer, bytes } = await askedOf(passage, upstreamOf(actor), body);
    if (outgoing.destroyed) throw new Error('the client went away');
    // Whoever reads the answer may ask again at once: it has ended before it is written.
    told({ status: answer.statusCode ?? 0, headers: headerPairs(answer.rawHeaders), bytes });
    outgoing.sendDate = false;
    outgoing.writeHead(answer.statusCode ?? 502, answer.statusMessage ?? '', endToEnd(answer.rawHeaders));
    outgoing.end(bytes);
  } catch (error) {
    told({ fault: 'reset', message: error instanceof Error ? error.message : String(error) });
    outgoing.destroy();
  }
}

/** The whole answer; rejects where none comes, or the client goes away. */
function askedOf(
  { incoming, outgoing }: Passage,
  baseUrl: string,
  body: Buffer,
): Promise<{ readonly answer: IncomingMessage; readonly bytes: Buffer }> {
  return new Promise((resolve, reject) => {
    const { method, url = '/', rawHeaders } = incoming;
    const { host, hostname, port } = new URL(baseUrl);
    const headers = ['Host', host, ...endToEnd(rawHeaders)];
    // A connection for each request: one reused just as the server drops it would be trouble that nobody asked for.
    const passed = openRequest({ agent: false, hostname, port, method, path: url, headers });
    passed.on('error', reject).on('response', (answer) => {
      bytesOf(answer).then((bytes) => resolve({ answer, bytes }), reject);
    });
    outgoing.once('close', () => {
      if (outgoing.writableFinished) return;
      passed.destroy();
      reject(new Error('the client went away'));
    });
    passed.end(body);
  });
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
