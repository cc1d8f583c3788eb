import type { Clock } from '../client/pacing/clock.ts';
import { AttemptClock } from './attempt-clock.ts';

/** Longest a run takes by default, in ms, in which no request waits for its turn under a limit. */
const defaultMs = 300_000;
/** Longest it takes by default in all. */
const limitedMs = 3_600_000;
/** Answers that take so long, in ms, make a run long by themselves. */
const slowMs = 500;

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

  /** Why the run ended, once it is over; `answerMs` is how long an answer of the server takes, `undefined` where none came. */
  reason(answerMs?: number): string {
    const more = `${slowness(answerMs)}; --budget-ms allows more`;
    const givenMs = this.#givenMs;
    if (givenMs !== undefined)
      return `the budget of ${givenMs < 1000 ? `${givenMs} ms` : `${Math.round(givenMs / 1000)} s`} ran out${more}`;
    const heldSeconds = Math.round((this.#counted?.heldMs ?? 0) / 1000);
    const beside = heldSeconds === 0 ? '' : `, ${heldSeconds} s of waiting for a rate limit not counted`;
    return this.#isAnHour
      ? `the run took an hour, ${heldSeconds} s of it waiting for a rate limit${more}`
      : `the budget of ${defaultMs / 1000} s ran out${beside}${more}`;
  }

  /** It will never be over now. */
  stop(): void {
    this.#wall.stop();
    this.#counted?.stop();
  }
}

function slowness(answerMs = 0): string {
  return answerMs < slowMs ? '' : `; an answer took about ${Math.round(answerMs / 100) / 10} s`;
}

function never(): Promise<never> {
  return new Promise(() => undefined);
}
