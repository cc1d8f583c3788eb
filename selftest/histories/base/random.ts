import { randomFrom } from '../../variants/base/random.ts';

/** Values that follow from a seed. */
export class Random {
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = randomFrom(seed);
  }

  /** From 0 up to 1. */
  next(): number {
    return this.#next();
  }

  /** An integer, both bounds included. */
  integer(from: number, to: number): number {
    return from + Math.floor(this.#next() * (to - from + 1));
  }

  /** A number from one bound up to the other. */
  between(from: number, to: number): number {
    return from + this.#next() * (to - from);
  }

  /** True in so many of 1. */
  chance(share: number): boolean {
    return this.#next() < share;
  }

  /** One of them, each as likely; the list is not empty. */
  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.#next() * list.length)] as T;
  }

  /** Another source, so that what draws from it does not shift what is drawn here. */
  fork(): Random {
    return new Random(this.integer(0, 2 ** 31));
  }
}
