import { Worker } from 'node:worker_threads';
import { packageFile } from '../../spec/index.ts';
import type { Observe } from './observe.ts';
import type { Observation } from '../servers/observation.ts';
import type { WorkerReply, WorkerRequest } from './worker.ts';

/** Threads that run checks against servers of their own, each in its own event loop. */
interface WorkerPool {
  readonly observe: Observe;
  close(): Promise<void>;
}

interface WaitingJob {
  readonly resolve: (observation: Observation) => void;
  readonly reject: (error: unknown) => void;
}

/** Starts threads from the compiled program; servers and checks are sent by their ids. */
export function openWorkerPool(count: number): WorkerPool {
  const members = Array.from({ length: count }, () => new Member());
  const observe: Observe = (server, checks) => {
    const [idlest] = members.toSorted((left, right) => left.waiting.size - right.waiting.size);
    if (idlest === undefined) return Promise.reject(new Error('a pool without a thread'));
    return idlest.ask(
      server.id,
      checks.map(({ id }) => id),
    );
  };
  return { observe, close: async () => void (await Promise.all(members.map((member) => member.close()))) };
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
      if ('observation' in reply) waiting?.resolve(reply.observation);
      else waiting?.reject(reply.error);
    });
    this.#worker.on('error', (error) => {
      for (const { reject } of this.waiting.values()) reject(error);
      this.waiting.clear();
    });
  }

  ask(server: string, checks: readonly string[]): Promise<Observation> {
    this.#asked += 1;
    const request: WorkerRequest = { number: this.#asked, server, checks };
    return new Promise((resolve, reject) => {
      this.waiting.set(request.number, { resolve, reject });
      this.#worker.postMessage(request);
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}
