import { once } from 'node:events';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { InvalidTarget } from '../../../harness/errors.ts';
import { lostFiles } from '../../../harness/output/clean-file.ts';

/** What a thread says in the end. */
type Said<T> =
  | { readonly value: T; readonly lost: readonly (readonly [file: string, code: string])[] }
  | { readonly refused: string };

/**
 * What work in a thread of its own comes to: however busy it is, this one hears signals and timers meanwhile, and ends it when
 * `signal` says so. Only the built program has the file of a thread.
 * @throws InvalidTarget when the thread does, or has not memory enough
 */
export async function inThread<T>(file: URL, input: unknown, signal: AbortSignal): Promise<T> {
  const worker = new Worker(file, { workerData: input });
  const end = (): void => void worker.terminate();
  signal.addEventListener('abort', end, { once: true });
  try {
    const [said] = (await once(worker, 'message')) as [Said<T>];
    if ('refused' in said) throw new InvalidTarget(said.refused);
    for (const [file, lost] of said.lost) lostFiles.set(file, lost);
    return said.value;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error;
    throw new InvalidTarget(
      'it takes more memory than this process may use; NODE_OPTIONS=--max-old-space-size allows more',
    );
  } finally {
    signal.removeEventListener('abort', end);
  }
}

/** The work of a thread that {@link inThread} has started. */
export function threadWork<I, T>(work: (input: I) => T | Promise<T>): void {
  const say = (said: Said<T>): void => parentPort?.postMessage(said);
  const done = (async () => work(workerData as I))();
  done.then(
    (value) => say({ value, lost: [...lostFiles] }),
    (error: unknown) => {
      if (!(error instanceof InvalidTarget)) throw error;
      say({ refused: error.message });
    },
  );
}
