import type { AddressInfo, Server, Socket } from 'node:net';

/** A server on loopback that answers, or fails to, without keeping the contract. */
export interface DegenerateServer {
  readonly name: string;
  /** `http://127.0.0.1:PORT`, without a trailing slash. */
  readonly baseUrl: string;
  /** Requests received so far; connections, where the server never gets to know a request. */
  requests(): number;
  /** Stops listening and drops every connection, idle or in the middle of an answer. */
  close(): Promise<void>;
}

/** Exit codes that say the truth about a server: 1 something failed, 3 nothing could be concluded; never 0. */
export type ExpectedExit = readonly (1 | 3)[];

/** Something the contract rules out is seen in a complete answer. */
export const foundBroken: ExpectedExit = [1];
/** No credential is ever accepted or no complete answer ever comes: preflight is the end of it. */
export const provesNothing: ExpectedExit = [3];
/** Complete answers that break the contract, and so early that preflight may well be the end of it. */
export const either: ExpectedExit = [1, 3];

/** Puts `server` on a free loopback port and counts the events named `counted`. */
export async function listen(
  name: string,
  server: Server,
  counted: 'request' | 'connection',
): Promise<DegenerateServer> {
  const sockets = new Set<Socket>();
  let count = 0;
  server.on(counted, () => {
    count += 1;
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', ignoreLostClient);
    socket.once('close', () => sockets.delete(socket));
  });
  const port = await boundPort(server);
  return {
    name,
    baseUrl: `http://127.0.0.1:${port}`,
    requests: () => count,
    close: () =>
      new Promise((resolve) => {
        // The callback's error says that it was closed before, which is what the caller wants.
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Listener for errors that only say that the client went away: these servers outlive rude clients. */
export function ignoreLostClient(): void {}

function boundPort(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}
