import { createServer } from 'node:net';
import { type DegenerateServer, listen } from '../answers/degenerate-server.ts';
import { startHttp } from '../answers/http-answers.ts';

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
