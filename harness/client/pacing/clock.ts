/**
 * How time passes for whoever speaks to the server. Waiting that is no fault of the server's, as for a request's turn
 * under a limit, is left out, so that no deadline runs out meanwhile.
 */
export interface Clock {
  /** Monotonic ms without the time that was left out; to be compared with other readings of this clock alone. */
  readonly now: () => number;
  /** Resolves once this many ms have passed on this clock. */
  readonly elapse: (durationMs: number) => Promise<void>;
  /** A pause of this many ms between two looks at the same thing; longer while requests wait for their turn anyway. */
  readonly pause: (durationMs: number) => Promise<void>;
  readonly hope: Hope;
  /** Does `work` without its time being counted. */
  readonly untimed: <T>(work: () => Promise<T>) => Promise<T>;
}

/** What the whole run has seen come of its waiting for what it sent. */
export interface Hope {
  /** True as long as several checks have waited and nothing was ever shown: one settle time is enough then. */
  readonly isInVain: () => boolean;
  /** True as long as a check has even waited for as long as any does, and nothing was ever shown. */
  readonly isGone: () => boolean;
  /** Notes that a check waited for as long as any does, and in vain. */
  readonly giveUp: () => void;
}

/** Resolves after a time of the wall clock. */
export function sleep(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs));
}

/** Leaves nothing out. */
export const wallClock: Clock = {
  now: () => performance.now(),
  elapse: sleep,
  pause: sleep,
  hope: { isInVain: () => false, isGone: () => false, giveUp: () => undefined },
  untimed: (work) => work(),
};

/** How often it is looked for what has taken too long, in ms. */
const lookEveryMs = 500;

/**
 * Ends pieces of work that outlive their limit. One timer serves all of them, since one for each costs more than the
 * requests that it watches over.
 */
export class Watchdog {
  readonly #deadlines = new Map<AbortController, number>();
  #timer: NodeJS.Timeout | undefined;

  /** Watches over one piece of work: `controller` is aborted once `limitMs` are over. */
  watch(controller: AbortController, limitMs: number): void {
    this.#deadlines.set(controller, performance.now() + limitMs);
    this.#timer ??= setInterval(() => this.#look(), lookEveryMs).unref();
  }

  /** To be called when the work has ended. */
  release(controller: AbortController): void {
    this.#deadlines.delete(controller);
  }

  /** Lets go of all work. */
  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#deadlines.clear();
  }

  #look(): void {
    const nowMs = performance.now();
    for (const [controller, deadlineMs] of this.#deadlines) {
      if (nowMs >= deadlineMs)
        controller.abort(new DOMException('the answer takes too long', 'TimeoutError'));
    }
    if (this.#deadlines.size === 0) this.stop();
  }
}
