/** The time limit of one attempt at a check; it stands still while the operator works. */
export class AttemptClock {
  readonly expired: Promise<void>;
  #expire: () => void = () => undefined;
  #leftMs: number;
  #startedMs = 0;
  #holds = 0;
  #timer: NodeJS.Timeout | undefined;

  /** Runs from now on; 0 means for ever. */
  constructor(limitMs: number) {
    this.#leftMs = limitMs === 0 ? Number.POSITIVE_INFINITY : limitMs;
    this.expired = new Promise((resolve) => (this.#expire = resolve));
    this.#run();
  }

  /** Does `work` without its time being counted. */
  async untimed<T>(work: () => Promise<T>): Promise<T> {
    if (this.#holds === 0) this.#pause();
    this.#holds += 1;
    try {
      return await work();
    } finally {
      this.#holds -= 1;
      if (this.#holds === 0) this.#run();
    }
  }

  /** It will never expire now. */
  stop(): void {
    this.#pause();
    this.#leftMs = Number.POSITIVE_INFINITY;
  }

  #run(): void {
    this.#startedMs = performance.now();
    if (Number.isFinite(this.#leftMs)) this.#timer = setTimeout(this.#expire, Math.max(0, this.#leftMs));
  }

  #pause(): void {
    clearTimeout(this.#timer);
    this.#leftMs -= performance.now() - this.#startedMs;
  }
}
