import { allowManyListeners } from '../../../harness/client/allow-many-listeners.ts';
import { limitTime, untilAborted } from '../../../harness/client/until-aborted.ts';
import { exitCodes } from '../../../harness/verdict/exit-code.ts';
import { err, out } from '../output.ts';

/** After what ended it a command may tidy up for so long, in ms, before the process ends whatever is still open. */
const tidyingMs = 1_000;

/** Ctrl-C, what is sent to end a process, and what comes of a terminal that is gone. */
const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Between two looks whether somebody has read on, in ms. */
const readingMs = 100;

/** What a command takes at most where nobody says otherwise, in ms. */
const defaultLimitMs = 300_000;

/** How work ended that had a time limit. */
type LimitedWork<T> =
  | { readonly end: 'done'; readonly value: T }
  | { readonly end: 'interrupted' }
  | { readonly end: 'out-of-time'; readonly limitMs: number };

/**
 * Does the work of a command until it is done, its time is over or somebody presses Ctrl-C, and says meanwhile that it goes on, unless `isSilent`; in the latter cases the process ends
 * about a second later, whatever is still open then.
 */
export async function withinTime<T>(
  command: string,
  budgetMs: number | undefined,
  work: (signal: AbortSignal) => Promise<T>,
  { isSilent = false }: { readonly isSilent?: boolean } = {},
): Promise<LimitedWork<T>> {
  const limitMs = budgetMs ?? defaultLimitMs;
  const interruption = listenForInterruption();
  const limit = limitTime(interruption.signal, limitMs);
  const how = (): string => `at most ${Math.ceil(limitMs / 1_000)} s`;
  const meanwhile = isSilent ? sayNothing : sayMeanwhile(command, how);
  try {
    const value = await untilAborted(
      work(limit.signal).then((done) => ({ done })),
      limit.signal,
    );
    if (value !== undefined && !limit.signal.aborted) return { end: 'done', value: value.done };
    const end = limit.isTimeOver() ? 'out-of-time' : 'interrupted';
    endSoon(end === 'interrupted' ? exitCodes.interrupted : exitCodes.inconclusive);
    return end === 'interrupted' ? { end } : { end, limitMs };
  } finally {
    meanwhile.stop();
    limit.lift();
    interruption.release();
  }
}

/**
 * Ends the process a little later, unless it has ended by itself until then; `code` where it has no exit code by then. What
 * waits to be read is waited for.
 */
export function endSoon(code: number): void {
  const end = (): void => {
    if (!out.hasUnread) process.exit(process.exitCode ?? code);
    setTimeout(end, readingMs).unref();
  };
  setTimeout(end, tidyingMs).unref();
}

/** What ends this process, as a signal to whoever can still write down what there is. */
interface Interruption {
  readonly signal: AbortSignal;
  /** From now on a signal ends the process at once, and what is to be tidied then is: by the usual effect of a signal it would not be. */
  readonly release: () => void;
}

/** Listens from now on. The first signal aborts, the second one means it and ends the process. */
export function listenForInterruption(): Interruption {
  const interrupted = new AbortController();
  // Every request that waits for its turn listens.
  allowManyListeners(interrupted.signal);
  const interrupt = (): void => {
    if (interrupted.signal.aborted) endNow();
    interrupted.abort();
  };
  for (const name of endings) process.on(name, interrupt);
  return {
    signal: interrupted.signal,
    release: () => {
      for (const name of endings) process.off(name, interrupt).off(name, endNow).on(name, endNow);
    },
  };
}

function endNow(): void {
  process.exit(exitCodes.interrupted);
}

/** Resolves with the first signal that is to end a command; the second one ends the process. */
export function untilInterrupted(): Promise<void> {
  const { signal } = listenForInterruption();
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** When something is said first, in ms; each further time after twice as long. */
const firstMs = 5_000;

/** What says now and then that a command is still at work. */
interface Meanwhile {
  readonly stop: () => void;
}

/** For a command that says by itself how far it is, or is to be quiet. */
export const sayNothing: Meanwhile = { stop: () => {} };

/** Says on standard error after 5 s, 10 s, 20 s and so on how long a command has been at work, and more of `how` it goes. */
function sayMeanwhile(command: string, how: () => string): Meanwhile {
  const startedMs = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const wait = (untilMs: number): void => {
    timer = setTimeout(
      () => {
        err.say(`${command}: ${Math.round(untilMs / 1_000)} s so far, ${how()}\n`);
        wait(2 * untilMs);
      },
      startedMs + untilMs - performance.now(),
    ).unref();
  };
  wait(firstMs);
  return { stop: () => clearTimeout(timer) };
}

/** As {@link sayMeanwhile}, where no line of the terminal is rewritten to say it. */
export function sayWithoutLiveLine(command: string, how: () => string): Meanwhile {
  return out.isTTY ? sayNothing : sayMeanwhile(command, how);
}
