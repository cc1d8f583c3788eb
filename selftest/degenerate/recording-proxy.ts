import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { endToEnd, openLike } from '../../chaos/upstream.ts';
import { type DegenerateServer, ignoreLostClient, listen } from './degenerate-server.ts';

/**
 * Passes a request on to `upstream` (origin and path prefix, `http:` only) and its answer back, both as streams, with
 * every header occurrence kept. When one side goes away the other is dropped too: a proxy must not turn a broken
 * answer into a whole one.
 */
export function forward(
  upstream: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  onAnswer: (answer: IncomingMessage) => void = () => {},
): void {
  const prefix = new URL(upstream).pathname.replace(/\/$/, '');
  const passed = openLike(incoming, { baseUrl: upstream, prefix });
  // After an early answer an upload may well fail; the answer stands.
  passed.on('error', () => {
    if (!outgoing.headersSent) outgoing.destroy();
  });
  passed.on('response', (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.statusMessage ?? '', endToEnd(answer.rawHeaders));
    outgoing.flushHeaders();
    onAnswer(answer);
    answer.on('error', () => outgoing.destroy());
    answer.pipe(outgoing);
  });
  outgoing.on('close', () => {
    if (!outgoing.writableFinished) passed.destroy();
  });
  incoming.pipe(passed);
}

/** One exchange of a good run. Bodies of requests are kept as digests: they are compared, never sent again. */
export interface RecordedExchange {
  readonly method: string;
  /** As on the request line, with the query. */
  readonly path: string;
  /** The whole header; the empty text when there was none. */
  readonly authorization: string;
  /** sha256 in hex. */
  readonly requestDigest: string;
  readonly status: number;
  /** Names and values in turn, as received. */
  readonly rawHeaders: readonly string[];
  /** As received, still compressed if it was. */
  readonly body: Buffer;
}

/** Exchanges in the order in which their answers ended. */
export type Recording = readonly RecordedExchange[];

export interface RecordingProxy extends DegenerateServer {
  /** What was recorded so far; an exchange without a whole answer is not in it. */
  recording(): Recording;
}

/** Passes everything on to `upstreamBaseUrl` (`http:`) and keeps what was asked and answered. */
export async function recordingProxy(upstreamBaseUrl: string): Promise<RecordingProxy> {
  const exchanges: RecordedExchange[] = [];
  const server = createServer((incoming, outgoing) => {
    outgoing.on('error', ignoreLostClient);
    const digest = createHash('sha256');
    incoming.on('data', (chunk: Buffer) => digest.update(chunk));
    forward(upstreamBaseUrl, incoming, outgoing, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        // A copy, since an early answer ends before the request does.
        const requestDigest = digest.copy().digest('hex');
        exchanges.push(recordedExchange(incoming, requestDigest, answer, Buffer.concat(chunks)));
      });
    });
  });
  server.keepAliveTimeout = 0;
  return { ...(await listen('recording-proxy', server, 'request')), recording: () => [...exchanges] };
}

function recordedExchange(
  incoming: IncomingMessage,
  requestDigest: string,
  answer: IncomingMessage,
  body: Buffer,
): RecordedExchange {
  return {
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    authorization: incoming.headers.authorization ?? '',
    requestDigest,
    status: answer.statusCode ?? 0,
    rawHeaders: answer.rawHeaders,
    body,
  };
}
