/** Numbers by rank, for one question: the next rank whose number lies above a bound. */
export class RankTree {
  readonly #size: number;
  readonly #leaves: number;
  /** The greatest number below each node; node 1 is the root, the leaves stand at the end. */
  readonly #greatest: Float64Array;

  constructor(values: Float64Array) {
    this.#size = values.length;
    this.#leaves = 2 ** Math.ceil(Math.log2(Math.max(1, values.length)));
    this.#greatest = new Float64Array(2 * this.#leaves).fill(Number.NEGATIVE_INFINITY);
    this.#greatest.set(values, this.#leaves);
    for (let node = this.#leaves - 1; node > 0; node -= 1) this.#greatest[node] = this.#above(node);
  }

  /** The first rank from `from` on whose number is greater than `bound`; the number of ranks when there is none. */
  nextAbove(from: number, bound: number): number {
    if (from >= this.#size) return this.#size;
    let node = this.#leaves + Math.max(0, from);
    while (!(this.#at(node) > bound)) {
      // To the next subtree on the right; from the last of its level there is none.
      while (node % 2 === 1) node = (node - 1) / 2;
      if (node === 0) return this.#size;
      node += 1;
    }
    while (node < this.#leaves) node = this.#at(2 * node) > bound ? 2 * node : 2 * node + 1;
    return node - this.#leaves;
  }

  /** Takes a rank out: it lies above no bound from now on. */
  remove(rank: number): void {
    let node = this.#leaves + rank;
    this.#greatest[node] = Number.NEGATIVE_INFINITY;
    while (node > 1) {
      node = node % 2 === 1 ? (node - 1) / 2 : node / 2;
      this.#greatest[node] = this.#above(node);
    }
  }

  #above(node: number): number {
    return Math.max(this.#at(2 * node), this.#at(2 * node + 1));
  }

  #at(node: number): number {
    return this.#greatest[node] ?? Number.NEGATIVE_INFINITY;
  }
}
