import { heardByMany } from '../../../harness/client/heard-by-many.ts';
import { exitCodes } from '../../../harness/verdict/exit-code.ts';

/** Ctrl-C, or the signal that ends a process, as a signal to whoever can still write down what there is. */
interface Interruption {
  readonly signal: AbortSignal;
  /** Lets the signals have their usual effect again. */
  readonly release: () => void;
}

/** Listens from now on. The first signal aborts, the second one means it and ends the process. */
export function listenForInterruption(): Interruption {
  const interrupted = new AbortController();
  // Every request that waits for its turn listens.
  heardByMany(interrupted.signal);
  const interrupt = (): void => {
    if (interrupted.signal.aborted) process.exit(exitCodes.interrupted);
    interrupted.abort();
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  return {
    signal: interrupted.signal,
    release: () => void process.off('SIGINT', interrupt).off('SIGTERM', interrupt),
  };
}
