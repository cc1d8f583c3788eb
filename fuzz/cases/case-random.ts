import { Random } from 'fast-check';

/** The 32-bit finalizer of MurmurHash3: every bit of the input moves every bit of the output. */
function mixed(value: number): number {
  let bits = value | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}

/** A number of 32 bits that a seed and the number of a case give, the same on every machine. */
function hashOf(seed: number, index: number): number {
  return mixed(mixed(seed ^ 0x9e3779b9) + Math.imul(index, 0x9e3779b1)) >>> 0;
}

/**
 * The randomness of one case of a campaign: whoever draws case `index` under `seed` draws the same, in any order and on
 * any shard.
 */
export function randomOfCase(seed: number, index: number): Random {
  const generator = new Sfc32(mixed(seed), index | 0, hashOf(seed, index) | 0, 1);
  // Its inventor lets it run before its first numbers are used.
  for (let rounds = 0; rounds < 12; rounds += 1) generator.next();
  return new Random(generator);
}

/** Chris Doty-Humphrey's small fast counter generator, in the form that fast-check takes. */
class Sfc32 {
  #a: number;
  #b: number;
  #c: number;
  #counter: number;

  constructor(a: number, b: number, c: number, counter: number) {
    this.#a = a;
    this.#b = b;
    this.#c = c;
    this.#counter = counter;
  }

  clone(): Sfc32 {
    return new Sfc32(this.#a, this.#b, this.#c, this.#counter);
  }

  next(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    this.#c |= 0;
    return sum | 0;
  }

  getState(): readonly number[] {
    return [this.#a, this.#b, this.#c, this.#counter];
  }
}
