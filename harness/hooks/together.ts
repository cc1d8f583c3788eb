interface Asking {
  readonly call: () => Promise<void>;
  readonly before: () => Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** A call that does for all who want it: it is made once all who may still ask for it have asked. */
export class Together {
  #present = 0;
  #asking: readonly Asking[] = [];

  /** Does `work`, in which the call may be asked for, any number of times. */
  async among<T>(work: () => Promise<T>): Promise<T> {
    this.#present += 1;
    // Whoever begins at the same time is present before the first can ask.
    await Promise.resolve();
    try {
      return await work();
    } finally {
      this.#present -= 1;
      this.#callOnceAllAsk();
    }
  }

  /**
   * Resolves when the call was made; never, when `signal` says before that nobody waits for it any more. `before` is done right before it,
   * beside that of all others; where that fails, the call is made all the same, and whoever asked is told.
   */
  ask(
    call: () => Promise<void>,
    signal: AbortSignal,
    before: () => Promise<void> = async () => undefined,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#asking = this.#asking.filter((each) => each !== asking);
      };
      // A listener that stays would keep all that an attempt has read, for as long as the run goes on.
      const stay = (): void => signal.removeEventListener('abort', leave);
      const asking: Asking = {
        call,
        before,
        resolve: () => {
          stay();
          resolve();
        },
        reject: (error) => {
          stay();
          reject(error);
        },
      };
      this.#asking = [...this.#asking, asking];
      signal.addEventListener('abort', leave, { once: true });
      this.#callOnceAllAsk();
    });
  }

  #callOnceAllAsk(): void {
    const all = this.#asking;
    const [first] = all;
    if (first === undefined || all.length < this.#present) return;
    this.#asking = [];
    callFor(all, first).catch((error: unknown) => all.forEach(({ reject }) => reject(error)));
  }
}

async function callFor(all: readonly Asking[], { call }: Asking): Promise<void> {
  const done = await Promise.allSettled(all.map(({ before }) => before()));
  await call();
  for (const [at, { resolve, reject }] of all.entries()) {
    const own = done[at];
    if (own?.status === 'rejected') reject(own.reason);
    else resolve();
  }
}
