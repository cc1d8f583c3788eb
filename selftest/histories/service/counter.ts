import { sequenceOf } from '../../../history/sequence.ts';
import type { Sequence } from '../../../history/sequence.ts';
import type { Random } from '../base/random.ts';

/** Numbers that only rise. */
export class Counter {
  #last: bigint;
  readonly #gap: number;
  readonly #random: Random;

  constructor({
    start,
    gap,
    random,
  }: {
    readonly start: bigint;
    readonly gap: number;
    readonly random: Random;
  }) {
    this.#last = start - 1n;
    this.#gap = gap;
    this.#random = random;
  }

  /** The number given out last, or the one before the first. */
  get last(): Sequence {
    return exact(this.#last);
  }

  /** A number that was never given out. */
  next(): Sequence {
    this.burn(this.#gap === 0 ? 0 : this.#random.integer(0, this.#gap));
    this.#last += 1n;
    return exact(this.#last);
  }

  /** Leaves so many numbers out. */
  burn(count: number): void {
    this.#last += BigInt(count);
  }

  /** Forgets the numbers after this one. */
  rewindTo(last: bigint): void {
    this.#last = last;
  }
}

function exact(value: bigint): Sequence {
  return sequenceOf(value) ?? 0;
}
