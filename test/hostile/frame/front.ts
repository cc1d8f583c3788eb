import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, createServer, request as send } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type Server, type Socket } from 'node:net';
import type { OpenServer, RowServer } from './row.ts';

/** The calls of the contract, by what their path ends in. */
type CallName = 'mentions' | 'channels' | 'send' | 'read' | 'receipts' | 'overview' | 'other';

/** A request, as a front sees it. */
export interface Asked {
  readonly request: IncomingMessage;
  readonly call: CallName;
  /** Counts from 1, over all calls. */
  readonly number: number;
}

/** An answer of the reference on its way. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string;
}

/** What stands in for an answer: bytes and the end, or whatever is done with the socket. */
type Instead = string | Buffer | ((socket: Socket) => void);

interface FrontOptions {
  /** What is sent in place of the reference's answer; `undefined` hands the request on. */
  readonly instead?: (asked: Asked) => Instead | undefined;
  readonly changed?: (answer: Answer, asked: Asked) => Answer;
  /** How long a request waits before it is handed on, in ms. */
  readonly delayMs?: (asked: Asked) => number;
  /** In how many pieces an answer is sent, with a pause before each but the first. */
  readonly pieces?: (asked: Asked) => number;
}

/** Between two pieces of an answer, in ms. */
const pieceMs = 150;

/** A server that treats some requests by itself, and hands the others on to the reference. */
export function front(options: FrontOptions): OpenServer {
  return async ({ baseUrl }) => {
    const agent = new Agent({ keepAlive: true });
    let [count, noteAsked] = [0, (): void => {}];
    const asked = new Promise<void>((resolve) => (noteAsked = resolve));
    const server = createServer(
      { maxHeaderSize: 1_000_000, keepAliveTimeout: 60_000 },
      (request, response) => {
        noteAsked();
        count += 1;
        const each = { request, call: callOf(request), number: count };
        const instead = options.instead?.(each);
        if (instead !== undefined) {
          request.resume();
          if (typeof instead === 'function') instead(request.socket);
          else request.on('end', () => request.socket.end(instead));
          return;
        }
        const { method, headers, url: path } = request;
        const onwards = send(new URL(baseUrl), { agent, method, headers, path }, (answer) => {
          void handBack(answer, each, options).then(async ({ status, headers: own, body }) => {
            response.writeHead(status, own as OutgoingHttpHeaders);
            const size = Math.ceil(body.length / (options.pieces?.(each) ?? 1));
            for (let at = size; at < body.length; at += size) {
              response.write(body.subarray(at - size, at));
              await pause(pieceMs);
            }
            response.end(body.subarray(Math.max(0, Math.floor((body.length - 1) / size) * size)));
          });
        });
        onwards.on('error', () => request.socket.destroy());
        response.on('close', () => response.writableEnded || onwards.destroy());
        const delayMs = options.delayMs?.(each) ?? 0;
        if (delayMs === 0) request.pipe(onwards);
        else setTimeout(() => request.pipe(onwards), delayMs).unref();
      },
    );
    server.on('connection', (socket) => socket.on('error', () => {}));
    return opened(server, asked, () => {
      agent.destroy();
      server.closeAllConnections();
    });
  };
}

/** A server that speaks no HTTP: what it does with each connection. */
export function sockets(onConnection: (socket: Socket, number: number) => void): OpenServer {
  return () => {
    let [count, noteAsked] = [0, (): void => {}];
    const asked = new Promise<void>((resolve) => (noteAsked = resolve));
    const open = new Set<Socket>();
    const server = createSocketServer((socket) => {
      noteAsked();
      count += 1;
      open.add(socket);
      socket.on('error', () => {}).on('close', () => open.delete(socket));
      onConnection(socket, count);
    });
    return opened(server, asked, () => open.forEach((socket) => socket.destroy()));
  };
}

/** An answer as it goes over the wire. */
export function raw(status: string, headers: readonly string[], body: string | Buffer = ''): Buffer {
  return Buffer.concat([
    Buffer.from(`HTTP/1.1 ${status}\r\n${headers.map((each) => `${each}\r\n`).join('')}\r\n`, 'latin1'),
    Buffer.from(body),
  ]);
}

/** A JSON answer with its length, after which the connection ends. */
export function json(status: string, body: string | Buffer, headers: readonly string[] = []): Buffer {
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  return raw(status, ['Content-Type: application/json', length, 'Connection: close', ...headers], body);
}

/** An answer as it is sent: what nobody changes may be no text. */
type HandedBack = Omit<Answer, 'body'> & { readonly body: Buffer };

async function handBack(
  answer: IncomingMessage,
  asked: Asked,
  { changed }: FrontOptions,
): Promise<HandedBack> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const given = { status: answer.statusCode ?? 500, headers: withoutFraming(answer.headers) };
  if (changed === undefined) return { ...given, body };
  const own = changed({ ...given, body: body.toString() }, asked);
  return { ...own, body: Buffer.from(own.body) };
}

function withoutFraming(headers: IncomingHttpHeaders): Answer['headers'] {
  const own = new Set(['content-length', 'transfer-encoding', 'connection', 'keep-alive']);
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || own.has(name) ? [] : [[name, value]],
    ),
  );
}

function callOf({ method, url = '' }: IncomingMessage): CallName {
  const [path = ''] = url.split('?');
  if (path.endsWith('/messages')) return method === 'POST' ? 'send' : 'read';
  if (path.endsWith('/mentions')) return 'mentions';
  if (path.endsWith('/channels')) return 'channels';
  if (path.endsWith('/receipts')) return 'receipts';
  return path.startsWith('/v1/') ? 'overview' : 'other';
}

/** True of a listing of mentions that is to be answered with a page. */
export function isListing({ call, request }: Asked): boolean {
  return call === 'mentions' && request.url?.includes('limit=101') !== true;
}

/** Lets a server listen on a free port. */
export async function opened(server: Server, asked: Promise<void>, cut: () => void): Promise<RowServer> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      cut();
      await closed;
    },
  };
}
