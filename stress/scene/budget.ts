/** What a run may still write, in bytes of content: what is written stays on the server. */
export class Budget {
  #left: number;
  #isExhausted = false;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  /** True when so many bytes may still be written; they are taken. */
  take(bytes: number): boolean {
    if (bytes > this.#left) {
      this.#isExhausted = true;
      return false;
    }
    this.#left -= bytes;
    return true;
  }

  /** True once something was not written for want of it. */
  get isExhausted(): boolean {
    return this.#isExhausted;
  }

  get left(): number {
    return this.#left;
  }
}
