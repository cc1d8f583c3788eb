import { type ClientRequest, createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type Fate, type FateKind, fateKinds, fateOf, isKeptFromServer, type Trouble } from './fate.ts';
import { endToEnd, mostHeaderBytes, openLike, type Upstream } from './upstream.ts';

/** A server on loopback that passes requests on, and injects faults. */
export interface ChaosProxy {
  /** Where its clients find the server behind it, with that one's path prefix. */
  readonly baseUrl: string;
  /** How many requests met each fate. */
  counts(): Readonly<Record<FateKind, number>>;
  close(): Promise<void>;
}

/** Idle connections stay open for so long, in ms: to close them would be trouble that nobody asked for. */
const keepAliveMs = 120_000;

/** Starts a proxy before `upstream`, on a free port of loopback if none is given. */
export async function startChaos(
  upstream: Upstream,
  trouble: Trouble,
  {
    port = 0,
    host = '127.0.0.1',
    fateOfRequest = (_incoming, number) => fateOf(trouble, number),
  }: {
    readonly port?: number;
    readonly host?: string;
    /** What becomes of each request, in place of what the seed draws; they are counted from 0. */
    readonly fateOfRequest?: (incoming: IncomingMessage, number: number) => Fate;
  } = {},
): Promise<ChaosProxy> {
  const counts = Object.fromEntries(fateKinds.map((kind) => [kind, 0])) as Record<FateKind, number>;
  const sockets = new Set<Socket>();
  let index = 0;
  const server = createServer(
    { maxHeaderSize: mostHeaderBytes, keepAliveTimeout: keepAliveMs, requestTimeout: 0 },
    (incoming, outgoing) => {
      const fate = fateOfRequest(incoming, index);
      index += 1;
      counts[fate.kind] += 1;
      void suffer(fate, { incoming, outgoing, upstream, trouble });
    },
  );
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, () => resolve());
  });
  const address = server.address() as AddressInfo;
  const shownHost = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  const prefix = new URL(upstream.baseUrl).pathname.replace(/\/+$/, '');
  return {
    baseUrl: `http://${shownHost}:${address.port}${prefix}`,
    counts: () => ({ ...counts }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

interface Passage {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly upstream: Upstream;
  readonly trouble: Trouble;
}

async function suffer(fate: Fate, passage: Passage): Promise<void> {
  const { incoming, outgoing, trouble } = passage;
  outgoing.on('error', () => undefined);
  incoming.on('error', () => undefined);
  if (fate.delayMs > 0) await delay(fate.delayMs);
  if (outgoing.destroyed) return;
  if (isKeptFromServer(fate.kind)) {
    incoming.resume();
    if (fate.kind === 'limited') limitAnswer(outgoing, trouble);
    else answerAsGateway(outgoing);
  } else passOn(fate, passage);
}

function limitAnswer(outgoing: ServerResponse, { retryAfterSeconds }: Trouble): void {
  outgoing.writeHead(429, { 'content-type': 'application/json', 'retry-after': String(retryAfterSeconds) });
  outgoing.end(JSON.stringify({ error: { code: 'limited', message: 'too many requests' } }));
}

function answerAsGateway(outgoing: ServerResponse): void {
  outgoing.writeHead(503, { 'content-type': 'text/html' });
  outgoing.end('<html><body><h1>503 Service Unavailable</h1></body></html>');
}

function passOn(fate: Fate, { incoming, outgoing, upstream }: Passage): void {
  const passed = openLike(incoming, upstream);
  // After an early answer an upload may well fail; the answer stands.
  passed.on('error', () => {
    if (!outgoing.headersSent) outgoing.destroy();
  });
  // When one side goes away the other is dropped too: a broken answer must not become a whole one.
  outgoing.on('close', () => {
    if (!outgoing.writableFinished && !reachesServer(fate)) passed.destroy();
  });
  passed.on('response', (answer) => handBack(fate, answer, outgoing));
  if (fate.kind === 'cut-in-request') passPart(fate, { incoming, passed, outgoing });
  else incoming.pipe(passed);
}

/** Fates after which the client hears no more, and the server is to do its work all the same. */
function reachesServer({ kind }: Fate): boolean {
  return kind === 'cut-unanswered' || kind === 'unavailable-unanswered';
}

function handBack(fate: Fate, answer: IncomingMessage, outgoing: ServerResponse): void {
  answer.on('error', () => outgoing.destroy());
  if (fate.kind === 'cut-unanswered' || fate.kind === 'unavailable-unanswered') {
    answer.resume();
    if (fate.kind === 'cut-unanswered') outgoing.destroy();
    else answerAsGateway(outgoing);
    return;
  }
  outgoing.sendDate = false;
  outgoing.writeHead(answer.statusCode ?? 502, answer.statusMessage ?? '', endToEnd(answer.rawHeaders));
  outgoing.flushHeaders();
  if (fate.kind !== 'cut-in-answer') {
    answer.pipe(outgoing);
    return;
  }
  // The last byte never passes, so that an answer of known length is not whole.
  let left = Math.floor(fate.passed * Math.max(0, lengthOf(answer) - 1));
  answer.on('data', (chunk: Buffer) => {
    if (left > 0) outgoing.write(chunk.subarray(0, left));
    left -= chunk.length;
    if (left <= 0) setImmediate(() => outgoing.destroy());
  });
  answer.on('end', () => outgoing.destroy());
}

/** Passes a part of the body on and drops both connections; a request without a body never arrives. */
function passPart(
  fate: Fate,
  {
    incoming,
    passed,
    outgoing,
  }: {
    readonly incoming: IncomingMessage;
    readonly passed: ClientRequest;
    readonly outgoing: ServerResponse;
  },
): void {
  const cut = (): void => {
    passed.destroy();
    outgoing.destroy();
  };
  let left = Math.floor(fate.passed * Math.max(0, lengthOf(incoming) - 1));
  incoming.on('data', (chunk: Buffer) => {
    if (left > 0) passed.write(chunk.subarray(0, left));
    left -= chunk.length;
    if (left <= 0) setImmediate(cut);
  });
  incoming.on('end', cut);
}

/** Bytes of the body as announced; one that does not say passes hardly at all. */
function lengthOf({ headers }: IncomingMessage): number {
  return Number(headers['content-length'] ?? 0);
}
