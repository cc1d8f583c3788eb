import { longestChain } from '../client/chain.ts';
import { isWrite } from '../client/client.ts';
import { isAccepted } from '../client/exchange.ts';
import type { Exchange } from '../client/exchange.ts';
import type { Footprint } from '../results/events.ts';

/** Adds up what a run costs the server. */
export class FootprintMeter {
  #messages = 0;
  #bytesWritten = 0;
  #preflightChain = 0;
  #chain = 0;
  #chainIn: string | undefined;

  /** Counts what an accepted write leaves behind. */
  add(exchange: Exchange): void {
    const { request } = exchange;
    if (!isWrite(request) || !isAccepted(exchange)) return;
    this.#bytesWritten += request.body === undefined ? 0 : Buffer.byteLength(request.body);
    if (request.call === 'send') this.#messages += 1;
  }

  /** Sends that were accepted so far. */
  get messages(): number {
    return this.#messages;
  }

  /** Notes how many requests followed one another before the first check. */
  addPreflight(chain: number): void {
    this.#preflightChain += chain;
  }

  /** Looks at one attempt at a check for the longest chain. */
  addAttempt(check: string, exchanges: readonly Exchange[]): void {
    const chain = longestChain(exchanges);
    if (chain <= this.#chain) return;
    this.#chain = chain;
    this.#chainIn = check;
  }

  /** What is known so far; `requests` counts every try. */
  footprint(requests: number): Footprint {
    return {
      requests,
      longestChain: this.#preflightChain + this.#chain,
      ...(this.#chainIn === undefined ? {} : { longestChainIn: this.#chainIn }),
      messages: this.#messages,
      bytesWritten: this.#bytesWritten,
    };
  }
}
