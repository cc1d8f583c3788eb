/** The exact values that a run must show nowhere: those of its target, and those that it learns on the way. */
export class KnownSecrets {
  #values: readonly string[] = [];

  constructor(values: readonly string[]) {
    this.learn(values);
  }

  /** Longest first, so that replacing one leaves no rest of another. */
  get values(): readonly string[] {
    return this.#values;
  }

  learn(values: readonly string[]): void {
    const all = new Set([...this.#values, ...values].filter((value) => value !== ''));
    this.#values = [...all].toSorted((a, b) => b.length - a.length);
  }
}
