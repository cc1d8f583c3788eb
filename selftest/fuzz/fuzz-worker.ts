import { parentPort } from 'node:worker_threads';
import { mutants } from '../mutants/index.ts';
import { fuzzMutant } from './fuzz-mutant.ts';
import type { FuzzedMutant, FuzzMutantOptions } from './fuzz-mutant.ts';
import { fuzzClean, fuzzCombination } from './fuzz-soundness.ts';
import type { SoundRun } from './fuzz-soundness.ts';

/** What a thread is asked: a mutant by its name, since none can be sent from thread to thread, or a server that is right. */
export type FuzzRequest =
  | { readonly kind: 'mutant'; readonly id: string; readonly options: FuzzMutantOptions }
  | { readonly kind: 'clean'; readonly seed: number; readonly maxCases: number }
  | { readonly kind: 'combination'; readonly seed: number; readonly maxCases: number };

export type FuzzReply = FuzzedMutant | SoundRun | { readonly error: string };

const byId = new Map(mutants.map((mutant) => [mutant.id, mutant]));

parentPort?.on('message', (request: FuzzRequest) => {
  run(request).then(
    (reply) => parentPort?.postMessage(reply),
    (error: unknown) => parentPort?.postMessage({ error: String(error) } satisfies FuzzReply),
  );
});

function run(request: FuzzRequest): Promise<FuzzReply> {
  if (request.kind === 'clean') return fuzzClean(request.seed, request.maxCases);
  if (request.kind === 'combination') return fuzzCombination(request.seed, request.maxCases);
  const mutant = byId.get(request.id);
  if (mutant === undefined) throw new Error(`there is no mutant "${request.id}"`);
  return fuzzMutant(mutant, request.options);
}
