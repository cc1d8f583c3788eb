/** Bytes that a run may still leave on the server: taken before a request is sent, given back when it was refused. */
export class WriteBudget {
  readonly #maxBytes: number;
  #takenBytes = 0;
  /** What writes under way have taken. */
  #underWayBytes = 0;
  #wake: (() => void)[] = [];

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Takes `bytes` if so many are left; false, and nothing taken, when they are not, and what is under way cannot give them back. */
  async take(bytes: number): Promise<boolean> {
    while (this.#takenBytes + bytes > this.#maxBytes) {
      if (this.#takenBytes - this.#underWayBytes + bytes > this.#maxBytes) return false;
      await new Promise<void>((resolve) => this.#wake.push(resolve));
    }
    this.#takenBytes += bytes;
    this.#underWayBytes += bytes;
    return true;
  }

  /** A write that took `bytes` has ended; one that was refused left nothing. */
  ended(bytes: number, isRefused: boolean): void {
    this.#underWayBytes -= bytes;
    if (isRefused) this.#takenBytes -= bytes;
    for (const wake of this.#wake.splice(0)) wake();
  }
}
