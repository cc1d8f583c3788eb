/**
 * How time passes for whoever speaks to the server. Waiting that is no fault of the server's, as for a request's turn
 * under a limit, is left out, so that no deadline runs out meanwhile.
 */
export interface Clock {
  /** Monotonic ms without the time that was left out; to be compared with other readings of this clock alone. */
  readonly now: () => number;
  /** Resolves once this many ms have passed on this clock. */
  readonly elapse: (durationMs: number) => Promise<void>;
  /** Does `work` without its time being counted. */
  readonly untimed: <T>(work: () => Promise<T>) => Promise<T>;
}

/** Leaves nothing out. */
export const wallClock: Clock = {
  now: () => performance.now(),
  elapse: (durationMs) => new Promise((resolve) => setTimeout(resolve, durationMs)),
  untimed: (work) => work(),
};
