import { parentPort } from 'node:worker_threads';
import { allChecks } from '../../suites/index.ts';
import { observeHere } from './observe.ts';
import type { Observation } from '../servers/observation.ts';
import { serverNamed } from '../servers/server-named.ts';

/** What a worker is asked: names, since neither servers nor checks can be sent from thread to thread. */
export interface WorkerRequest {
  readonly number: number;
  readonly server: string;
  readonly checks: readonly string[];
}

export type WorkerReply =
  | { readonly number: number; readonly observation: Observation }
  | { readonly number: number; readonly error: unknown };

const checksById = new Map(allChecks.map((check) => [check.id, check]));

parentPort?.on('message', (request: WorkerRequest) => {
  answerJob(request).then(
    (observation) => reply({ number: request.number, observation }),
    (error: unknown) => reply({ number: request.number, error }),
  );
});

function reply(message: WorkerReply): void {
  parentPort?.postMessage(message);
}

async function answerJob({ server, checks }: WorkerRequest): Promise<Observation> {
  return observeHere(
    serverNamed(server),
    checks.flatMap((check) => checksById.get(check) ?? []),
  );
}
