import { parentPort } from 'node:worker_threads';
import { allChecks } from '../../suites/index.ts';
import { type CampaignOptions, fuzzClean, fuzzCombination, fuzzMutant } from '../servers/campaigns.ts';
import { mutantNamed } from '../mutants/index.ts';
import { serverNamed } from '../servers/server-named.ts';
import { observeHere } from './observe.ts';

/** What a thread can do, by names, since neither servers nor checks can be sent from thread to thread. */
const jobs = {
  observe: (server: string, checks: readonly string[]) =>
    observeHere(
      serverNamed(server),
      checks.flatMap((check) => checksById.get(check) ?? []),
    ),
  fuzzClean,
  fuzzCombination,
  fuzzMutant: (id: string, options: CampaignOptions) => fuzzMutant(mutantNamed(id), options),
};

const checksById = new Map(allChecks.map((check) => [check.id, check]));

export type Jobs = typeof jobs;

/** A job, and its place in the order in which the thread was asked. */
export interface WorkerRequest {
  readonly number: number;
  readonly job: keyof Jobs;
  readonly given: readonly unknown[];
}

export interface WorkerReply {
  readonly number: number;
  readonly result?: unknown;
  readonly error?: unknown;
}

parentPort?.on('message', ({ number, job, given }: WorkerRequest) => {
  const reply = (said: Omit<WorkerReply, 'number'>): void => parentPort?.postMessage({ number, ...said });
  answerJob(job, given).then(
    (result) => reply({ result }),
    (error: unknown) => reply({ error }),
  );
});

async function answerJob(job: keyof Jobs, given: readonly unknown[]): Promise<unknown> {
  return (jobs[job] as (...given: readonly unknown[]) => Promise<unknown>)(...given);
}
