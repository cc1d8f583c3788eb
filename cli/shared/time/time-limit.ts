import { exitCodes } from '../../../harness/verdict/exit-code.ts';
import { limitTime, untilAborted } from '../../../harness/run/until-aborted.ts';
import { listenForInterruption } from './interruption.ts';
import { sayMeanwhile, sayNothing } from './meanwhile.ts';
import { out } from '../output.ts';

/** After what ended it a command may tidy up for so long, in ms, before the process ends whatever is still open. */
const tidyingMs = 1_000;

/** Between two looks whether somebody has read on, in ms. */
const readingMs = 100;

/** What a command takes at most where nobody says otherwise, in ms. */
const defaultLimitMs = 300_000;

/** How work ended that had a time limit. */
type Limited<T> =
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
): Promise<Limited<T>> {
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
