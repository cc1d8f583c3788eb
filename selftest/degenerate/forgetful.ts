import type { IncomingMessage } from 'node:http';
import { type Front, startFront } from '../../harness/front/front.ts';

/** Makes another body of what a good server has answered to a request. */
type Spoiled = (body: Buffer, request: IncomingMessage, status: number) => string | Buffer;

/** Refuses what must be refused, accepts every send, and has nothing in it afterwards: `upstream` is a server of the contract (`http:`). */
export function startForgetful(upstream: string): Promise<Front> {
  return startInFront(upstream, (body, request, status) =>
    status === 200 ? (emptied(request) ?? body) : body,
  );
}

/** Says where each page ends as the server behind it does, and leaves out what is on it. */
export function startWithoutItems(upstream: string): Promise<Front> {
  return startInFront(upstream, (body) =>
    body.toString().replace(/"(messages|mentions)":\[.*\](?=,"page":)/s, '"$1":[]'),
  );
}

/** Has the right status and headers for every request, and the body `null`. */
export function startNullBodies(upstream: string): Promise<Front> {
  return startInFront(upstream, () => 'null');
}

function startInFront(baseUrl: string, spoiled: Spoiled): Promise<Front> {
  return startFront(
    { baseUrl },
    {
      treat: (incoming) => {
        // Nothing ever comes that could be waited for.
        incoming.url = incoming.url?.replace(/([?&])wait=[^&]*&?/, '$1') ?? '';
        return {
          changed: ({ status, headers, body }) => ({
            status,
            headers,
            body: Buffer.from(spoiled(body, incoming, status)),
          }),
        };
      },
    },
  );
}

/** A page without anything on it, where a page was asked for. */
function emptied({ method, url = '' }: IncomingMessage): string | undefined {
  const [path = '', query] = url.split('?');
  const items = method === 'GET' ? /\/(mentions|messages|receipts)$/.exec(path)?.[1] : undefined;
  if (items === undefined) return undefined;
  // Written as digits: a cursor beyond 2^53 goes back as it came.
  const after = BigInt(new URLSearchParams(query).get('after') ?? 0);
  return `{"${items}":[],"page":{"next_after":${after},"has_more":false,"high_watermark":0}}`;
}
