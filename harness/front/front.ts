import { createServer, type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type Answer, answerInstead, cutAnswer, cutRequest, handBack, type Instead } from './hand-back.ts';
import { type PassedExchange, Recorded } from './recorded.ts';
import { endToEnd, Link, mostHeaderBytes, ofConnection, type Upstream } from './upstream.ts';

/** A server on loopback, or wherever it is told to listen, that stands before another one. */
export interface Front {
  /** Where its clients find the server behind it, with that one's path prefix. */
  readonly baseUrl: string;
  /** Ends every connection, in the middle of an answer too. */
  readonly close: () => Promise<void>;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}

/** What becomes of a request other than that it and its answer pass as they are. */
export interface Treatment {
  /** It waits for so long before anything else, in ms. */
  readonly delayMs?: number;
  /** Another server than the front's own. */
  readonly upstream?: Upstream;
  /** What its client gets in place of the server's answer. */
  readonly instead?: Instead;
  /** True where the server does its work all the same before `instead`. */
  readonly reachesServer?: boolean;
  /** Where both connections are cut. Before its answer, the server has the request. */
  readonly cut?: 'in-request' | 'before-answer' | 'in-answer';
  /** How much of the request or the answer passes before a cut, from 0 to 1; default none. */
  readonly passed?: number;
  /** Makes another answer of a whole one. */
  readonly changed?: (answer: Answer) => Answer;
  /** In how many pieces an answer is sent, with a pause before each but the first. */
  readonly pieces?: number;
}

export interface FrontOptions {
  /** A free one if absent. */
  readonly port?: number;
  readonly host?: string;
  /** Longest header section that comes in, in bytes; a longer one is refused by the HTTP library. */
  readonly maxHeaderSize?: number;
  /** Says what becomes of a request; requests are numbered from 0 in the order in which they arrive. */
  readonly treat?: (incoming: IncomingMessage, index: number) => Treatment | Promise<Treatment>;
  /** Gets each request with what came of it, once that has ended. */
  readonly onExchange?: (exchange: PassedExchange) => void;
  /** Bodies are kept for `onExchange` as long as this says so, when a request arrives; default: always. */
  readonly isRecording?: () => boolean;
}

const asItIs: Treatment = {};

/**
 * Starts a front. What passes does so unchanged, but for what HTTP says of one connection only and the `Host`, which is that of the
 * server. Nothing is tried again; when one side goes away the other is dropped, so that a broken answer does not become a whole one.
 */
export async function startFront(upstream: Upstream, options: FrontOptions = {}): Promise<Front> {
  const { port = 0, host = '127.0.0.1', maxHeaderSize = mostHeaderBytes } = options;
  const links = new Map<Socket, Link>();
  let index = 0;
  // Connections end as those of the server do, whose limits of time are the ones that count.
  const server = createServer({ maxHeaderSize, keepAliveTimeout: 0, requestTimeout: 0, headersTimeout: 0 });
  const take = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const link = links.get(incoming.socket);
    if (link === undefined) return;
    const treatment = options.treat?.(incoming, index) ?? asItIs;
    index += 1;
    const passage = { incoming, outgoing, upstream, link, recorded: recordedOf(incoming, options) };
    if (treatment instanceof Promise) void treatment.then((each) => pass(each, passage));
    else void pass(treatment, passage);
  };
  server.on('request', take).on('checkContinue', take);
  server.on('connection', (socket: Socket) => {
    links.set(socket, new Link(socket));
    socket.setNoDelay(true);
    socket.on('error', () => undefined).once('close', () => links.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, () => resolve());
  });
  const address = server.address() as AddressInfo;
  const shownHost = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  const prefix = new URL(upstream.baseUrl).pathname.replace(/\/+$/, '');
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of links.keys()) socket.destroy();
    });
  return {
    baseUrl: `http://${shownHost}:${address.port}${upstream.prefix === undefined ? prefix : ''}`,
    close,
    [Symbol.asyncDispose]: close,
  };
}

function recordedOf(
  incoming: IncomingMessage,
  { onExchange, isRecording = () => true }: FrontOptions,
): Recorded | undefined {
  return onExchange === undefined ? undefined : new Recorded(incoming, isRecording(), onExchange);
}

interface Passage {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly upstream: Upstream;
  readonly link: Link;
  readonly recorded: Recorded | undefined;
}

async function pass(treatment: Treatment, passage: Passage): Promise<void> {
  const { incoming, outgoing, link } = passage;
  const { delayMs = 0, instead, reachesServer = false } = treatment;
  outgoing.on('error', () => undefined);
  incoming.on('error', () => undefined);
  outgoing.once('close', link.begin());
  if (delayMs > 0) await delay(delayMs);
  if (outgoing.destroyed) return passage.recorded?.end('cut by client');
  if (instead === undefined || reachesServer) return passOn(treatment, passage);
  answerInstead(instead, incoming, outgoing);
}

function passOn(treatment: Treatment, { incoming, outgoing, upstream, link, recorded }: Passage): void {
  const { cut, instead, passed: share = 0 } = treatment;
  const passed = link.open(incoming, treatment.upstream ?? upstream);
  const isForServer = cut === 'before-answer' || instead !== undefined;
  // After an early answer an upload may well fail; the answer stands.
  passed.on('error', ({ code }: NodeJS.ErrnoException) => {
    recorded?.end(
      outgoing.destroyed ? 'cut by client' : code === 'ECONNREFUSED' ? 'refused' : 'cut by server',
    );
    if (!outgoing.headersSent) outgoing.destroy();
  });
  outgoing.on('close', () => {
    if (outgoing.writableFinished) return;
    recorded?.end('cut by client');
    if (!isForServer) passed.destroy();
  });
  // Whoever writes all before it reads would wait for ever once nobody takes the rest.
  passed.once('close', () => dropRest(incoming, passed));
  passed.on('continue', () => outgoing.writeContinue());
  passed.on('response', (answer) => {
    recorded?.answer(answer);
    answer.once('end', () => {
      if (!incoming.readableEnded) setTimeout(dropUnread, unreadMs, incoming, passed);
    });
    answer.on('error', () => outgoing.destroy());
    if (instead !== undefined) {
      answer.resume();
      answerInstead(instead, incoming, outgoing);
    } else if (cut === 'before-answer') {
      answer.resume();
      outgoing.destroy();
    } else if (cut === 'in-answer') cutAnswer(answer, outgoing, share);
    else if (treatment.changed !== undefined || treatment.pieces !== undefined)
      void handBack(answer, outgoing, treatment);
    else passAnswer(answer, outgoing);
  });
  if (cut === 'in-request') return cutRequest(incoming, passed, outgoing, share);
  passBody(incoming, passed, () => incoming.rawTrailers);
}

/** So long after its answer a server may still take what it has not read, in ms. */
const unreadMs = 100;

/** Ends the connection of a server that has answered and does not read on. */
function dropUnread(incoming: IncomingMessage, passed: ClientRequest): void {
  if (!incoming.readableEnded && passed.writableNeedDrain) passed.destroy();
}

function dropRest(incoming: IncomingMessage, passed: ClientRequest): void {
  incoming.unpipe(passed);
  incoming.resume();
}

function passAnswer(answer: IncomingMessage, outgoing: ServerResponse): void {
  outgoing.sendDate = false;
  // A client of HTTP/1.0 reads no chunks: for it the end of the connection is that of the body.
  const endsByClose =
    answer.headers['transfer-encoding'] !== undefined && outgoing.req.httpVersionMinor === 0;
  const headers = pairs(endToEnd(answer.rawHeaders))
    .filter(([name]) => !endsByClose || !/^transfer-encoding$/i.test(name))
    .flat();
  headers.push(...Object.entries(endsByClose ? { Connection: 'close' } : ofConnection(answer)).flat());
  outgoing.writeHead(answer.statusCode ?? 502, answer.statusMessage ?? '', headers);
  outgoing.flushHeaders();
  passBody(answer, outgoing, () => answer.rawTrailers);
}

/** A body, and what trails it. */
function passBody(
  from: IncomingMessage,
  to: ClientRequest | ServerResponse,
  trailers: () => readonly string[],
): void {
  from.pipe(to, { end: false });
  from.once('end', () => {
    const raw = trailers();
    if (raw.length > 0) to.addTrailers(pairs(raw));
    to.end();
  });
}

function pairs(raw: readonly string[]): readonly [string, string][] {
  return raw.flatMap((name, at): [string, string][] => (at % 2 === 0 ? [[name, raw[at + 1] ?? '']] : []));
}
