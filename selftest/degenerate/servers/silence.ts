import { createServer } from 'node:net';
import { type DegenerateServer, listen } from '../answers/degenerate-server.ts';

/** Takes connections and everything that is said on them, and never says a word. Counts connections. */
export async function startSilence(): Promise<DegenerateServer> {
  const server = createServer((socket) => socket.resume());
  return listen('silence', server, 'connection');
}
