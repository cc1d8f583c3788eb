import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { packageFile } from '../../spec/index.ts';
import type { FuzzReply, FuzzRequest } from './fuzz-worker.ts';

/** Most objects of a campaign live as long as a request. */
const youngGenerationMb = 96;

/** Runs campaigns in threads, one after the other in each; `done` is called with each reply as it comes. */
export async function inThreads<Request extends FuzzRequest>(
  requests: readonly Request[],
  threads: number,
  done: (request: Request, reply: FuzzReply) => void,
): Promise<void> {
  const queue = requests.values();
  await Promise.all(
    Array.from({ length: Math.min(threads, requests.length) }, async () => {
      const worker = new Worker(packageFile('dist/selftest/fuzz/fuzz-worker.js'), {
        resourceLimits: { maxYoungGenerationSizeMb: youngGenerationMb },
      });
      for (const request of queue) {
        worker.postMessage(request);
        const [reply] = (await once(worker, 'message')) as [FuzzReply];
        done(request, reply);
      }
      await worker.terminate();
    }),
  );
}
