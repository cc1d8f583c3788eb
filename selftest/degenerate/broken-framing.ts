import { createServer, type Server } from 'node:net';
import { type ExpectedExit, ignoreLostClient, listen, provesNothing } from './degenerate-server.ts';
import { type DegenerateRow, responding } from './http-answers.ts';
import { agentIdHeader, plausibleMentionsPage, someAgentId } from './plausible-bodies.ts';

const framedPage = JSON.stringify(plausibleMentionsPage());
const headers = { 'content-type': 'application/json', [agentIdHeader]: someAgentId };

/** Servers whose answers are never whole, or no HTTP, by name. */
export const brokenFraming: Readonly<Record<string, DegenerateRow>> = {
  // Takes connections and everything that is said on them, and never says a word.
  silence: speaking(provesNothing, () => createServer((socket) => socket.resume())),
  // Closes each connection as soon as it is there.
  'hang-up': speaking(provesNothing, () => createServer((socket) => socket.destroy())),
  // Reads each request whole and resets the connection instead of answering.
  'hang-up-after-request': responding(provesNothing, (_request, response) => {
    response.socket?.resetAndDestroy();
  }),
  // Announces 64 bytes more than it sends and closes; what does arrive is a valid page.
  'cut-short': responding(provesNothing, (_request, response) => {
    response.writeHead(200, { ...headers, 'content-length': Buffer.byteLength(framedPage) + 64 });
    response.write(framedPage, () => response.socket?.end());
  }),
  // Sends the headers at once, then a body of one byte per 100 ms for hours; it would be a valid page at its end.
  'slow-drip': responding(provesNothing, (_request, response) => {
    const body = Buffer.from(' '.repeat(100_000) + framedPage);
    response.writeHead(200, { ...headers, 'content-length': body.length });
    response.flushHeaders();
    let sent = 0;
    const timer = setInterval(() => {
      response.write(body.subarray(sent, sent + 1));
      sent += 1;
      if (sent === body.length) response.end();
    }, 100);
    response.once('close', () => clearInterval(timer));
  }),
  // Answers with bytes that are no HTTP at all and closes.
  'not-http': speaking(provesNothing, () =>
    createServer((socket) => {
      socket.once('data', () => socket.end(Buffer.from('SSH-2.0-Open\0\xff\xfe\r\n\r\n', 'latin1')));
    }),
  ),
  // Calls a valid page gzip that is not compressed at all.
  'invalid-gzip': responding(provesNothing, (_request, response) => {
    const length = { 'content-length': Buffer.byteLength(framedPage) };
    response.writeHead(200, { ...headers, ...length, 'content-encoding': 'gzip' });
    response.end(framedPage);
  }),
  // Sends a JSON array that never ends, as fast as the client takes it.
  'endless-body': responding(provesNothing, (_request, response) => {
    const more = Buffer.from('{},'.repeat(20_000));
    const fill = (): void => {
      while (!response.destroyed && response.write(more));
    };
    response.on('error', ignoreLostClient);
    response.writeHead(200, headers);
    response.write('{"mentions":[');
    response.on('drain', fill);
    fill();
  }),
};

/** A server that never gets to know a request: it counts connections. */
function speaking(expectedExit: ExpectedExit, make: () => Server): DegenerateRow {
  return { expectedExit, start: (name) => listen(name, make(), 'connection') };
}
