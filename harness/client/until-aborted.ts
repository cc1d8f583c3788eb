import { allowManyListeners } from './allow-many-listeners.ts';
import { longestTimerMs } from '../config/quantities.ts';

/**
 * The outcome of some work; `undefined` as soon as the signal says that nobody waits for it any more. The work itself has
 * to hear of that by other means: what becomes of it afterwards is not looked at.
 */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  if (signal.aborted) {
    work.catch(() => undefined);
    return undefined;
  }
  let stop: () => void = () => undefined;
  const aborted = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
    work.catch(() => undefined);
  }
}

/** A signal of its own that aborts with `parent`, or when its time is over. */
interface TimeLimit {
  readonly signal: AbortSignal;
  /** True when the time was over before anything else ended it. */
  readonly isTimeOver: () => boolean;
  /** Lets the time go by; the parent is still heard. */
  readonly lift: () => void;
}

/** Starts the clock; `undefined` ms is no limit. As many as like may listen to the signal. */
export function limitTime(parent: AbortSignal, limitMs: number | undefined): TimeLimit {
  const over = new AbortController();
  allowManyListeners(over.signal);
  let isTimeOver = false;
  const end = (): void => over.abort();
  const timer =
    limitMs === undefined
      ? undefined
      : setTimeout(
          () => {
            isTimeOver = !over.signal.aborted;
            over.abort();
          },
          Math.min(limitMs, longestTimerMs),
        );
  if (parent.aborted) end();
  else parent.addEventListener('abort', end, { once: true });
  return { signal: over.signal, isTimeOver: () => isTimeOver, lift: () => clearTimeout(timer) };
}
