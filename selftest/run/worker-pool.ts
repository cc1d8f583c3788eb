import { Worker } from 'node:worker_threads';
import { packageFile } from '../../spec/index.ts';
import type { Jobs, WorkerReply, WorkerRequest } from './worker.ts';

/** Threads that do jobs, each in its own event loop. */
interface WorkerPool {
  /** Has the idlest of them do a job. */
  ask<Job extends keyof Jobs>(job: Job, ...given: Parameters<Jobs[Job]>): ReturnType<Jobs[Job]>;
  close(): Promise<void>;
}

interface WaitingJob {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Starts threads from the compiled program. */
export function openWorkerPool(count: number): WorkerPool {
  const members = Array.from({ length: count }, () => new Member());
  return {
    ask<Job extends keyof Jobs>(job: Job, ...given: Parameters<Jobs[Job]>) {
      const [idlest] = members.toSorted((left, right) => left.waiting.size - right.waiting.size);
      if (idlest === undefined) throw new Error('a pool without a thread');
      return idlest.ask(job, given) as ReturnType<Jobs[Job]>;
    },
    close: async () => void (await Promise.all(members.map((member) => member.close()))),
  };
}

/** Most objects of a run live as long as an exchange: with the default of some MB a third of them is copied for nothing. */
const youngGenerationMb = 96;

class Member {
  readonly waiting = new Map<number, WaitingJob>();
  readonly #worker = new Worker(packageFile('dist/selftest/run/worker.js'), {
    resourceLimits: { maxYoungGenerationSizeMb: youngGenerationMb },
  });
  #asked = 0;

  constructor() {
    this.#worker.on('message', (reply: WorkerReply) => {
      const waiting = this.waiting.get(reply.number);
      this.waiting.delete(reply.number);
      if ('error' in reply) waiting?.reject(reply.error);
      else waiting?.resolve(reply.result);
    });
    this.#worker.on('error', (error) => {
      for (const { reject } of this.waiting.values()) reject(error);
      this.waiting.clear();
    });
  }

  ask(job: keyof Jobs, given: readonly unknown[]): Promise<unknown> {
    this.#asked += 1;
    const request: WorkerRequest = { number: this.#asked, job, given };
    return new Promise((resolve, reject) => {
      this.waiting.set(request.number, { resolve, reject });
      this.#worker.postMessage(request);
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}
