import { parentPort } from 'node:worker_threads';
import { mutants } from '../reference/mutants/index.ts';
import { allChecks } from '../suites/index.ts';
import { observeHere, type Observation } from './observe.ts';
import { contractServer, type Server } from './server.ts';

/** What a worker is asked: names, since neither servers nor checks can be sent from thread to thread. */
export interface WorkerRequest {
  readonly number: number;
  readonly server: string;
  readonly checks: readonly string[];
}

export type WorkerReply =
  | { readonly number: number; readonly observation: Observation }
  | { readonly number: number; readonly error: unknown };

// Variants join here: a worker finds every server by its id.
const servers = new Map<string, Server>([contractServer, ...mutants].map((server) => [server.id, server]));
const checksById = new Map(allChecks.map((check) => [check.id, check]));

parentPort?.on('message', (request: WorkerRequest) => {
  answer(request).then(
    (observation) => reply({ number: request.number, observation }),
    (error: unknown) => reply({ number: request.number, error }),
  );
});

function reply(message: WorkerReply): void {
  parentPort?.postMessage(message);
}

function answer({ server: id, checks }: WorkerRequest): Promise<Observation> {
  const server = servers.get(id);
  if (server === undefined) return Promise.reject(new Error(`there is no server ${id}`));
  return observeHere(
    server,
    checks.flatMap((check) => checksById.get(check) ?? []),
  );
}
