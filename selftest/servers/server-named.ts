import { degenerateServers } from '../degenerate/servers.ts';
import { companyServers } from './company-server.ts';
import { mutants } from '../mutants/index.ts';
import { variants } from '../variants/index.ts';
import { degenerateServer } from './degenerate-server.ts';
import { contractServer, mutantServer, type Server } from './server.ts';
import { aloneServer, combinationServer } from './variant-server.ts';

const known = new Map<string, Server>(
  [
    contractServer,
    ...mutants.map(mutantServer),
    ...variants.map(aloneServer),
    ...companyServers,
    ...degenerateServers.map(degenerateServer),
  ].map((server) => [server.id, server]),
);

/**
 * The server of an id; of combinations there are as many as seeds.
 * @throws Error on an id of none
 */
export function serverNamed(id: string): Server {
  const [, seed] = /^combination (\d+)$/.exec(id) ?? [];
  const server = seed === undefined ? known.get(id) : combinationServer(Number(seed));
  if (server === undefined) throw new Error(`there is no server "${id}"`);
  return server;
}
