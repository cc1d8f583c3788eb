import { wallClock, type Clock, type Hope } from '../client/pacing/clock.ts';

type Sleep = (durationMs: number) => Promise<void>;

/**
 * The time of one attempt at a check, and its limit. It stands still while the operator works, while a request waits for
 * its turn, and while another check makes what both need.
 */
export class AttemptClock implements Clock {
  readonly expired: Promise<void>;
  readonly pause: Sleep;
  readonly hope: Hope;
  readonly #sleep: Sleep;
  #expire: () => void = () => undefined;
  /** Reading at which it expires. */
  #limitMs: number;
  #holds = 0;
  #heldSinceMs = 0;
  #heldMs = 0;
  #resumed: Promise<void> = Promise.resolve();
  #resume: () => void = () => undefined;
  #timer: NodeJS.Timeout | undefined;

  /**
   * Runs from now on; 0 means for ever. `sleep` resolves after a time on the wall clock; `pause`, its default the same, is
   * how long it is between two looks.
   */
  constructor(
    limitMs: number,
    { sleep, pause = sleep, hope = wallClock.hope }: { sleep: Sleep; pause?: Sleep; hope?: Hope },
  ) {
    this.#limitMs = limitMs === 0 ? Number.POSITIVE_INFINITY : this.now() + limitMs;
    this.#sleep = sleep;
    this.pause = pause;
    this.hope = hope;
    this.expired = new Promise((resolve) => (this.#expire = resolve));
    this.#run();
  }

  readonly now = (): number => {
    const nowMs = this.#holds > 0 ? this.#heldSinceMs : performance.now();
    return nowMs - this.#heldMs;
  };

  readonly elapse = async (durationMs: number): Promise<void> => {
    const untilMs = this.now() + durationMs;
    for (let leftMs = durationMs; leftMs > 0; leftMs = untilMs - this.now()) {
      // It may have been held meanwhile, and be held again.
      await this.#sleep(leftMs);
      await this.#resumed;
    }
  };

  readonly untimed = async <T>(work: () => Promise<T>): Promise<T> => {
    if (this.#holds === 0) this.#hold();
    this.#holds += 1;
    try {
      return await work();
    } finally {
      this.#holds -= 1;
      if (this.#holds === 0) this.#release();
    }
  };

  /** How long it has stood still, in ms. */
  get heldMs(): number {
    return this.#heldMs + (this.#holds > 0 ? performance.now() - this.#heldSinceMs : 0);
  }

  /** It will never expire now. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#limitMs = Number.POSITIVE_INFINITY;
  }

  #run(): void {
    if (Number.isFinite(this.#limitMs))
      this.#timer = setTimeout(this.#expire, Math.max(0, this.#limitMs - this.now()));
  }

  #hold(): void {
    clearTimeout(this.#timer);
    this.#heldSinceMs = performance.now();
    this.#resumed = new Promise((resolve) => (this.#resume = resolve));
  }

  #release(): void {
    this.#heldMs += performance.now() - this.#heldSinceMs;
    this.#resume();
    this.#run();
  }
}
