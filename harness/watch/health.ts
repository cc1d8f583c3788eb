import type { Exchange } from '../client/exchange.ts';

/** No answer at all for so long, in ms, and the server counts as lost. */
const lostAfterMs = 10_000;

/** Share of requests that may be refused with a 429. */
const mostLimited = 0.1;

/** So many requests without an answer at the end, one after another: the server is gone, or the way to it. */
const mostUnanswered = 8;

/** Whether the server still answers, and how often it says that it is asked too much. */
export class Health {
  #answers = 0;
  #limited = 0;
  #lastAnswerMs = performance.now();
  #lastFault = '';
  #unanswered = 0;

  note({ response, fault }: Exchange): void {
    if (fault !== undefined) this.#lastFault = `${fault.kind}: ${fault.message}`;
    this.#unanswered = fault === undefined ? 0 : this.#unanswered + 1;
    if (response === undefined) return;
    this.#lastAnswerMs = performance.now();
    this.#answers += 1;
    if (response.status === 429) this.#limited += 1;
  }

  /** Why nothing can be expected any more; `undefined` while the server answers. */
  get loss(): string | undefined {
    if (performance.now() - this.#lastAnswerMs < lostAfterMs) return undefined;
    return `the server gave no answer for ${lostAfterMs / 1000} s${this.#lastFault === '' ? '' : ` (${this.#lastFault})`}`;
  }

  /** Why a history cannot be judged; `undefined` where it can. */
  get trouble(): string | undefined {
    if (this.#answers === 0) return 'nothing was answered';
    if (this.#limited > mostLimited * this.#answers)
      return `${this.#limited} of ${this.#answers} requests were refused with a 429: too many to conclude anything (--clients or --rate-per-second)`;
    if (this.#unanswered >= mostUnanswered)
      return `the last ${this.#unanswered} requests were not answered (${this.#lastFault})`;
    return this.loss;
  }
}
