import { type Exchange, isAccepted, isRedirection } from '../client/exchange.ts';

/** No answer at all for so long, in ms, and the server counts as lost. */
const lostAfterMs = 10_000;

/** Share of requests that may be refused with a 429. */
const mostLimited = 0.1;

/** So many requests without an answer at the end, one after another: the server is gone, or the way to it. */
const mostUnanswered = 8;

/** So many answers at the end, one after another, that let nobody in, or take nothing: the credential, or the room, is gone. */
const mostInARow = 20;

/** Whether the server still answers, and how often it says that it is asked too much. */
export class Health {
  #answers = 0;
  #limited = 0;
  #lastAnswerMs = performance.now();
  #lastFault = '';
  #unanswered = 0;
  /** Answers at the end, one after another, that say that nobody is let in, or point elsewhere. */
  #turnedAway = new Row();
  /** Sends since the last that was accepted, that nothing of theirs was refused for. */
  #notTaken = new Row();

  note(exchange: Exchange): void {
    const { request, response, fault } = exchange;
    if (fault !== undefined) this.#lastFault = `${fault.kind}: ${fault.message}`;
    this.#unanswered = fault === undefined ? 0 : this.#unanswered + 1;
    if (response === undefined) return;
    this.#lastAnswerMs = performance.now();
    this.#answers += 1;
    if (response.status === 429) this.#limited += 1;
    const { status } = response;
    this.#turnedAway.note(status, status === 401 || isRedirection(status));
    if (request.call === 'send' && (isAccepted(exchange) || isNobodysFault(status)))
      this.#notTaken.note(status, !isAccepted(exchange));
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
    if (this.#turnedAway.isLong) return `the last ${this.#turnedAway.inWords('requests')}`;
    if (this.#notTaken.isLong) return `the last ${this.#notTaken.inWords('sends')}`;
    return this.loss;
  }
}

/** Answers of a kind that came one after another, up to the last. */
class Row {
  #count = 0;
  readonly #statuses = new Set<number>();

  note(status: number, isOfIt: boolean): void {
    this.#count = isOfIt ? this.#count + 1 : 0;
    if (isOfIt) this.#statuses.add(status);
    else this.#statuses.clear();
  }

  get isLong(): boolean {
    return this.#count >= mostInARow;
  }

  inWords(what: string): string {
    return `${this.#count} ${what} were answered with ${[...this.#statuses].join(', ')}: nothing can be concluded of what they were to show`;
  }
}

/** A refusal that has nothing to do with what was sent: of all that clients of a stress run send, none breaks a rule. */
function isNobodysFault(status: number): boolean {
  return [403, 429, 507].includes(status);
}
