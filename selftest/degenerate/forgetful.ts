import { createServer, type IncomingMessage } from 'node:http';
import { openLike } from '../../chaos/upstream.ts';
import { type DegenerateServer, ignoreLostClient, listen } from './degenerate-server.ts';
import { send } from './http-answers.ts';

/** Makes another body of what a good server has answered to a request. */
type Spoiled = (body: Buffer, request: IncomingMessage, status: number) => string | Buffer;

/** Refuses what must be refused, accepts every send, and has nothing in it afterwards: `upstream` is a server of the contract (`http:`). */
export function startForgetful(upstream: string): Promise<DegenerateServer> {
  return startInFront('forgetful', upstream, (body, request, status) =>
    status === 200 ? (emptied(request) ?? body) : body,
  );
}

/** Has the right status and headers for every request, and the body `null`. */
export function startNullBodies(upstream: string): Promise<DegenerateServer> {
  return startInFront('null-bodies', upstream, () => 'null');
}

async function startInFront(name: string, upstream: string, spoiled: Spoiled): Promise<DegenerateServer> {
  const server = createServer((incoming, outgoing) => {
    outgoing.on('error', ignoreLostClient);
    // Nothing ever comes that could be waited for.
    incoming.url = incoming.url?.replace(/([?&])wait=[^&]*&?/, '$1') ?? '';
    const passed = openLike(incoming, { baseUrl: upstream });
    passed.on('error', () => outgoing.destroy());
    passed.on('response', (answer) => {
      const chunks: Buffer[] = [];
      answer.on('error', () => outgoing.destroy());
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        const { statusCode: status = 500, headers } = answer;
        const own = Object.entries(headers).flatMap(([header, value]) =>
          value === undefined || ofFraming.has(header) ? [] : [[header, String(value)]],
        );
        const body = spoiled(Buffer.concat(chunks), incoming, status);
        send(outgoing, { status, headers: Object.fromEntries(own) as Record<string, string>, body });
      });
    });
    incoming.pipe(passed);
  });
  server.keepAliveTimeout = 0;
  return listen(name, server, 'request');
}

const ofFraming = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length']);

/** A page without anything on it, where a page was asked for. */
function emptied({ method, url = '' }: IncomingMessage): string | undefined {
  const [path = '', query] = url.split('?');
  const items = method === 'GET' ? /\/(mentions|messages|receipts)$/.exec(path)?.[1] : undefined;
  if (items === undefined) return undefined;
  // Written as digits: a cursor beyond 2^53 goes back as it came.
  const after = BigInt(new URLSearchParams(query).get('after') ?? 0);
  return `{"${items}":[],"page":{"next_after":${after},"has_more":false,"high_watermark":0}}`;
}
