/** What a run waits for, answers to its requests aside. */
const waitKinds = ['settle', 'arrival', 'longPoll', 'pause', 'hook'] as const;
export type WaitKind = (typeof waitKinds)[number];

/**
 * Counts the time in which a run does nothing but wait: no request of it is on its way but long polls. Where several
 * things are waited for at once, each gets its share of the time. Costs a few additions a request.
 */
export class Waits {
  readonly #waiting: Record<WaitKind, number> = { settle: 0, arrival: 0, longPoll: 0, pause: 0, hook: 0 };
  readonly #idleMs: Record<WaitKind, number> = { settle: 0, arrival: 0, longPoll: 0, pause: 0, hook: 0 };
  readonly #now: () => number;
  #requests = 0;
  #waiters = 0;
  #sinceMs = 0;

  /** `now` is a monotonic clock in ms. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Time in ms in which nothing but waiting went on, by what was waited for; what was not is left out. */
  get idleMs(): Readonly<Partial<Record<WaitKind, number>>> {
    this.#account();
    return Object.fromEntries(
      waitKinds.filter((kind) => this.#idleMs[kind] > 0).map((kind) => [kind, this.#idleMs[kind]]),
    );
  }

  /** True while something is waited for and nothing else goes on, and another request would not have to wait its turn. */
  get hasRoom(): boolean {
    return this.#isIdle && this.#waiting.pause === 0 && this.#waiting.hook === 0;
  }

  get #isIdle(): boolean {
    return this.#waiters > 0 && this.#requests === 0;
  }

  /** Does `work`, which waits for something. */
  async waiting<T>(kind: WaitKind, work: () => Promise<T>): Promise<T> {
    this.#account();
    this.#waiting[kind] += 1;
    this.#waiters += 1;
    try {
      return await work();
    } finally {
      this.#account();
      this.#waiting[kind] -= 1;
      this.#waiters -= 1;
    }
  }

  /** Does `work`, which is a request and no waiting. */
  async requesting<T>(work: () => Promise<T>): Promise<T> {
    this.#account();
    this.#requests += 1;
    try {
      return await work();
    } finally {
      this.#account();
      this.#requests -= 1;
    }
  }

  #account(): void {
    const nowMs = this.#now();
    const passedMs = nowMs - this.#sinceMs;
    this.#sinceMs = nowMs;
    if (!this.#isIdle) return;
    for (const kind of waitKinds) this.#idleMs[kind] += (passedMs * this.#waiting[kind]) / this.#waiters;
  }
}
