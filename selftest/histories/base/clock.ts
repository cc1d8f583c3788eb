/** Something that takes virtual time: a number that it yields is a sleep in ms, a promise is waited for. */
export type Work<T = void> = Generator<number | Promise<unknown>, T, void>;

/** Work that waits for a promise and has what it brings. */
export function* broughtBy<T>(promise: Promise<T>): Work<T> {
  let brought: { readonly value: T } | undefined;
  yield promise.then((value) => {
    brought = { value };
  });
  if (brought === undefined) throw new Error('work went on before what it waits for');
  return brought.value;
}

/** Runs many pieces of work side by side in virtual time, always in the same order. */
export class Clock {
  #nowMs = 0;
  #started = 0;
  /** Whether something may have to run before the next piece of work: what a promise that was resolved leads to. */
  #isStirred = false;
  #waiting = 0;
  #fault: { readonly error: unknown } | undefined;
  readonly #due: Due[] = [];

  /** Milliseconds since the beginning. */
  get nowMs(): number {
    return this.#nowMs;
  }

  /** Starts a piece of work, now or later. */
  start(work: Work, inMs = 0): void {
    this.#at(inMs, () => this.#step(work));
  }

  /** Runs something after so many ms, unless what it returns is called before. */
  after(ms: number, run: () => void): () => void {
    let isWanted = true;
    this.#at(ms, () => {
      if (isWanted) run();
      this.#isStirred = true;
    });
    return () => {
      isWanted = false;
    };
  }

  /**
   * Runs until nothing is left to do.
   * @throws whatever a promise was rejected with, or that one waits for something else than this clock
   */
  async run(): Promise<void> {
    for (;;) {
      // All that promises lead to has happened once the event loop comes round.
      if (this.#isStirred) await new Promise(setImmediate);
      this.#isStirred = false;
      if (this.#fault !== undefined) throw this.#fault.error;
      const due = this.#due.pop();
      if (due === undefined && this.#waiting > 0)
        throw new Error('work waits for what is not in virtual time');
      if (due === undefined) return;
      this.#nowMs = due.atMs;
      due.run();
    }
  }

  #step(work: Work): void {
    const step = work.next();
    if (step.done === true) return;
    if (typeof step.value === 'number') return this.start(work, Math.max(0, step.value));
    this.#isStirred = true;
    this.#waiting += 1;
    step.value.then(
      () => {
        this.#waiting -= 1;
        this.#step(work);
      },
      (error: unknown) => {
        this.#fault = { error };
      },
    );
  }

  #at(inMs: number, run: () => void): void {
    const due = { atMs: this.#nowMs + inMs, order: this.#started, run };
    this.#started += 1;
    this.#due.splice(placeFor(this.#due, due), 0, due);
  }
}

interface Due {
  readonly atMs: number;
  readonly order: number;
  readonly run: () => void;
}
/** The list is kept with the next one last. */
function placeFor(list: readonly Due[], due: Due): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const each = list[middle];
    if (each !== undefined && isLater(each, due)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isLater(one: Due, other: Due): boolean {
  return one.atMs > other.atMs || (one.atMs === other.atMs && one.order > other.order);
}
