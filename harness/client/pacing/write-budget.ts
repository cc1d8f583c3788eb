/** Bytes that a run may still leave on the server: taken before a request is sent, given back when it was refused. */
export class WriteBudget {
  readonly #maxBytes: number;
  #takenBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Takes `bytes` if so many are left; false, and nothing taken, when they are not. */
  take(bytes: number): boolean {
    if (this.#takenBytes + bytes > this.#maxBytes) return false;
    this.#takenBytes += bytes;
    return true;
  }

  giveBack(bytes: number): void {
    this.#takenBytes -= bytes;
  }
}
