import type { Clock } from '../client/pacing/clock.ts';
import { AttemptClock } from './attempt-clock.ts';

/** Longest a run takes by default, in ms, in which no request waits for its turn under a limit. */
const defaultMs = 300_000;
/** Longest it takes by default in all. */
const limitedMs = 3_600_000;

/** How long a whole run may take: what was given by the wall clock, or a default that leaves waiting under limits out. */
export class RunBudget {
  /** Resolves when the time is over. */
  readonly over: Promise<void>;
  /** To wrap the waiting of each request for its turn. */
  readonly untimed: Clock['untimed'];
  readonly #givenMs: number | undefined;
  readonly #wall: AttemptClock;
  readonly #counted: AttemptClock | undefined;
  #isAnHour = false;

  /** Runs from now on; `undefined` means the default. */
  constructor(givenMs: number | undefined) {
    this.#givenMs = givenMs;
    this.#wall = new AttemptClock(givenMs ?? limitedMs, { sleep: never });
    this.#counted = givenMs === undefined ? new AttemptClock(defaultMs, { sleep: never }) : undefined;
    const wallOver = this.#wall.expired.then(() => void (this.#isAnHour = true));
    this.over = Promise.race([wallOver, this.#counted?.expired ?? never()]);
    this.untimed = this.#counted?.untimed ?? ((work) => work());
  }

  /** Why the run ended, once it is over. */
  get reason(): string {
    const givenMs = this.#givenMs;
    if (givenMs !== undefined)
      return `the budget of ${givenMs < 1000 ? `${givenMs} ms` : `${Math.round(givenMs / 1000)} s`} ran out`;
    const heldSeconds = Math.round((this.#counted?.heldMs ?? 0) / 1000);
    const beside = heldSeconds === 0 ? '' : `, ${heldSeconds} s of waiting for a rate limit not counted`;
    return this.#isAnHour
      ? `the run took an hour, ${heldSeconds} s of it waiting for a rate limit; --budget-ms allows more`
      : `the budget of ${defaultMs / 1000} s ran out${beside}`;
  }

  /** It will never be over now. */
  stop(): void {
    this.#wall.stop();
    this.#counted?.stop();
  }
}

function never(): Promise<never> {
  return new Promise(() => undefined);
}
