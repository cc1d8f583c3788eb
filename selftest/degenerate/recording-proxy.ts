import { createHash } from 'node:crypto';
import { startFront } from '../../front/front.ts';
import type { PassedExchange } from '../../front/recorded.ts';
import type { DegenerateServer } from './degenerate-server.ts';

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
  let count = 0;
  const front = await startFront(
    { baseUrl: upstreamBaseUrl, prefix: new URL(upstreamBaseUrl).pathname.replace(/\/$/, '') },
    {
      onExchange: (exchange) => {
        count += 1;
        exchanges.push(...recordedExchange(exchange));
      },
    },
  );
  return { ...front, name: 'recording-proxy', requests: () => count, recording: () => [...exchanges] };
}

function recordedExchange({
  method,
  url,
  rawHeaders,
  body,
  answer,
  end,
}: PassedExchange): RecordedExchange[] {
  if (end !== 'answered' || answer?.body === undefined) return [];
  const at = rawHeaders.findIndex((name, index) => index % 2 === 0 && /^authorization$/i.test(name));
  const digest = createHash('sha256');
  for (const chunk of body ?? []) digest.update(chunk);
  return [
    {
      method,
      path: url,
      authorization: at < 0 ? '' : (rawHeaders[at + 1] ?? ''),
      requestDigest: digest.digest('hex'),
      status: answer.status,
      rawHeaders: answer.rawHeaders,
      body: Buffer.concat(answer.body),
    },
  ];
}
