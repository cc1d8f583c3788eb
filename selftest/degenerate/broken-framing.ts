import { createServer } from 'node:net';
import { type DegenerateServer, ignoreLostClient, listen } from './degenerate-server.ts';
import { startHttp } from './http-answers.ts';
import { agentIdHeader, plausibleMentionsPage, someAgentId } from './plausible-bodies.ts';

const framedPage = JSON.stringify(plausibleMentionsPage());
const headers = { 'content-type': 'application/json', [agentIdHeader]: someAgentId };

/** Announces 64 bytes more than it sends and closes; what does arrive is a valid page. */
export async function startCutShort(): Promise<DegenerateServer> {
  return startHttp('cut-short', (_request, response) => {
    response.writeHead(200, { ...headers, 'content-length': Buffer.byteLength(framedPage) + 64 });
    response.write(framedPage, () => response.socket?.end());
  });
}

/** Answers with bytes that are no HTTP at all and closes. Counts connections. */
export async function startNotHttp(): Promise<DegenerateServer> {
  const server = createServer((socket) => {
    socket.once('data', () => socket.end(Buffer.from('SSH-2.0-Open\0\xff\xfe\r\n\r\n', 'latin1')));
  });
  return listen('not-http', server, 'connection');
}

/** Calls a valid page gzip that is not compressed at all. */
export async function startInvalidGzip(): Promise<DegenerateServer> {
  return startHttp('invalid-gzip', (_request, response) => {
    const length = { 'content-length': Buffer.byteLength(framedPage) };
    response.writeHead(200, { ...headers, ...length, 'content-encoding': 'gzip' });
    response.end(framedPage);
  });
}

/** Sends the headers at once, then a body of one byte per 100 ms for hours; it would be a valid page at its end. */
export async function startSlowDrip(): Promise<DegenerateServer> {
  const body = Buffer.from(' '.repeat(100_000) + framedPage);
  return startHttp('slow-drip', (_request, response) => {
    response.writeHead(200, { ...headers, 'content-length': body.length });
    response.flushHeaders();
    let sent = 0;
    const timer = setInterval(() => {
      response.write(body.subarray(sent, sent + 1));
      sent += 1;
      if (sent === body.length) response.end();
    }, 100);
    response.once('close', () => clearInterval(timer));
  });
}

/** Sends a JSON array that never ends, as fast as the client takes it. */
export async function startEndlessBody(): Promise<DegenerateServer> {
  const more = Buffer.from('{},'.repeat(20_000));
  return startHttp('endless-body', (_request, response) => {
    const fill = (): void => {
      while (!response.destroyed && response.write(more));
    };
    response.on('error', ignoreLostClient);
    response.writeHead(200, headers);
    response.write('{"mentions":[');
    response.on('drain', fill);
    fill();
  });
}

/** Takes connections and everything that is said on them, and never says a word. Counts connections. */
export async function startSilence(): Promise<DegenerateServer> {
  const server = createServer((socket) => socket.resume());
  return listen('silence', server, 'connection');
}

/** Closes each connection as soon as it is there. Counts connections. */
export async function startHangUp(): Promise<DegenerateServer> {
  const server = createServer((socket) => socket.destroy());
  return listen('hang-up', server, 'connection');
}

/** Reads each request whole and resets the connection instead of answering. */
export async function startHangUpAfterRequest(): Promise<DegenerateServer> {
  return startHttp('hang-up-after-request', (_request, response) => {
    response.socket?.resetAndDestroy();
  });
}
