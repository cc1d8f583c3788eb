import type { Exchange } from '../../harness/client/exchange.ts';

/** So many are kept for a listener that is still to come: one of a kind is enough. */
const mostKept = 100;

/** Hands on the answers with a 429 that a client waits out, also those that came before anybody listened. */
export class LimitedAnswers {
  #kept: Exchange[] = [];
  #listener: ((exchange: Exchange) => void) | undefined;

  add(exchange: Exchange): void {
    if (this.#listener !== undefined) this.#listener(exchange);
    else if (this.#kept.length < mostKept) this.#kept.push(exchange);
  }

  /** Calls `listener` with each, at once with those that came before. */
  listen(listener: (exchange: Exchange) => void): void {
    this.#listener = listener;
    for (const exchange of this.#kept) listener(exchange);
    this.#kept = [];
  }
}
