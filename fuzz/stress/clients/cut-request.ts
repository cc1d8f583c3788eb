import { addressOf, type SentRequest } from '../../../spec/calls/index.ts';
import { connect, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import type { Target } from '../../../harness/config/target.ts';

/** Longest that the beginning of an answer is waited for, in ms. */
const answerMs = 8_000;

/** Where a connection is cut: after so many bytes of the request, modulo its length, or once the answer begins. */
export type Cut = 'answer' | number;

/** Sends a request on a connection of its own and cuts that; what became of the request stays unknown. */
export async function cutRequest(target: Target, request: SentRequest, cut: Cut): Promise<void> {
  const bytes = requestBytes(target, request);
  const socket = connectionTo(target);
  try {
    await new Promise<void>((resolve) => {
      const end = (): void => resolve();
      socket.once('error', end).once('close', end).setTimeout(answerMs, end);
      if (cut === 'answer') socket.once('data', end).write(bytes);
      else socket.write(bytes.subarray(0, 1 + (cut % bytes.length)), end);
    });
  } finally {
    socket.on('error', () => undefined).destroy();
  }
}

function connectionTo({ baseUrl, connection: { ca, cert, key } }: Target): Socket {
  const { protocol, hostname, port } = new URL(baseUrl);
  const host = hostname.replace(/^\[|\]$/g, '');
  if (protocol === 'http:') return connect({ host, port: Number(port || 80) });
  return connectSecurely({
    host,
    servername: host,
    port: Number(port || 443),
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  });
}

function requestBytes({ baseUrl, connection }: Target, request: SentRequest): Buffer {
  const { host, pathname } = new URL(baseUrl);
  const body = Buffer.from(request.body ?? '');
  const headers = {
    host,
    ...connection.headers,
    ...request.headers,
    'content-length': String(body.length),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const start = `${request.method} ${pathname.replace(/\/+$/, '')}${addressOf(request)} HTTP/1.1\r\n`;
  return Buffer.concat([Buffer.from(`${start}${lines.join('')}\r\n`), body]);
}
