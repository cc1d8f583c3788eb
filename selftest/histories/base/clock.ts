/** Something that takes virtual time: each number that it yields is a sleep in ms. */
export type Work<T = void> = Generator<number, T, void>;

/** Runs many pieces of work side by side in virtual time, always in the same order. */
export class Clock {
  #nowMs = 0;
  #started = 0;
  readonly #due: Due[] = [];

  /** Milliseconds since the beginning. */
  get nowMs(): number {
    return this.#nowMs;
  }

  /** Starts a piece of work, now or later. */
  start(work: Work, inMs = 0): void {
    const due = { atMs: this.#nowMs + inMs, order: this.#started, work };
    this.#started += 1;
    this.#due.splice(placeFor(this.#due, due), 0, due);
  }

  /** Runs until nothing is left to do. */
  run(): void {
    for (let due = this.#due.pop(); due !== undefined; due = this.#due.pop()) {
      this.#nowMs = due.atMs;
      const step = due.work.next();
      if (step.done !== true) this.start(due.work, Math.max(0, step.value));
    }
  }
}

interface Due {
  readonly atMs: number;
  readonly order: number;
  readonly work: Work;
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
