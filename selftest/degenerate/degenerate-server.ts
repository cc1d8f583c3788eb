import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Instead } from '../../harness/front/hand-back.ts';
import { type Front, startFront } from '../../harness/front/front.ts';

/** Exit codes that say the truth about a server: 1 something failed, 3 nothing could be concluded; never 0. */
export type ExpectedExit = readonly (1 | 3)[];

/** Something the contract rules out is seen in a complete answer. */
export const foundBroken: ExpectedExit = [1];
/** No credential is ever accepted or no complete answer ever comes: preflight is the end of it. */
export const provesNothing: ExpectedExit = [3];
/** Complete answers that break the contract, and so early that preflight may well be the end of it. */
export const either: ExpectedExit = [1, 3];

/** A row of a table of servers: what a run against it must end with, and how to start it. */
export interface DegenerateRow {
  readonly expectedExit: ExpectedExit;
  readonly start: () => Promise<Front>;
}

/** A request that was read to its end. */
interface ReceivedRequest {
  readonly method: string;
  /** As on the request line, with the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A server that keeps no contract: what each request gets once it is there as a whole. */
export function answering(
  expectedExit: ExpectedExit,
  answer: (request: ReceivedRequest) => Instead,
): DegenerateRow {
  return { expectedExit, start: () => startAnswering(answer) };
}

/** Starts such a server on a free port of loopback. */
export function startAnswering(answer: (request: ReceivedRequest) => Instead): Promise<Front> {
  const treat = async (incoming: IncomingMessage) => {
    const body = await bodyOf(incoming).catch(() => undefined);
    if (body === undefined) return { instead: hangUp };
    const { method = '', url: path = '', headers } = incoming;
    return { instead: answer({ method, path, headers, body }) };
  };
  // Nothing is behind it.
  return startFront({ baseUrl: 'http://127.0.0.1' }, { treat });
}

/** Ends the connection without a word. */
export const hangUp: Extract<Instead, (...given: never) => void> = (socket) => socket.destroy();

/** A whole answer, which announces its length. */
export function whole(
  status: number,
  headers: Readonly<Record<string, string | readonly string[]>>,
  body: string | Buffer,
): Exclude<Instead, string | Buffer | ((...given: never) => void)> {
  return { status, headers: { ...headers, 'content-length': `${Buffer.byteLength(body)}` }, body };
}

/** An answer with a JSON body; `headers` come on top of the content type. */
export function degenerateJson(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Instead {
  return whole(status, { 'content-type': 'application/json', ...headers }, JSON.stringify(body));
}

async function bodyOf(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}
