/** How often it is looked for what has taken too long, in ms. */
const lookEveryMs = 500;

/**
 * Ends pieces of work that outlive their limit. One timer serves all of them, since one for each costs more than the
 * requests that it watches over.
 */
export class Watchdog {
  readonly #deadlines = new Map<AbortController, number>();
  #timer: NodeJS.Timeout | undefined;

  /** Watches over one piece of work: `controller` is aborted once `limitMs` are over. */
  watch(controller: AbortController, limitMs: number): void {
    this.#deadlines.set(controller, performance.now() + limitMs);
    this.#timer ??= setInterval(() => this.#look(), lookEveryMs).unref();
  }

  /** To be called when the work has ended. */
  release(controller: AbortController): void {
    this.#deadlines.delete(controller);
  }

  /** Lets go of all work. */
  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#deadlines.clear();
  }

  #look(): void {
    const nowMs = performance.now();
    for (const [controller, deadlineMs] of this.#deadlines) {
      if (nowMs >= deadlineMs)
        controller.abort(new DOMException('the answer takes too long', 'TimeoutError'));
    }
    if (this.#deadlines.size === 0) this.stop();
  }
}
