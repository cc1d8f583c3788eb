import type { Traffic } from '../client/client.ts';
import { type Exchange, longestChain } from '../client/exchange.ts';
import type { Operation, Send } from '../../history/operation.ts';
import type { Footprint } from '../results/generated/events.ts';

/** Adds up what a run costs the server. */
export class FootprintMeter {
  #preflightChain = 0;
  #preflightRequests = 0;
  #chain = 0;
  #chainIn: string | undefined;

  /** Notes how many requests followed one another before the first check, and how many of them another client than that of the run sent. */
  addPreflight(chain: number, ofAnotherClient = 0): void {
    this.#preflightChain += chain;
    this.#preflightRequests += ofAnotherClient;
  }

  /** Looks at one attempt at a check for the longest chain. */
  addAttempt(check: string, exchanges: readonly Exchange[]): void {
    const chain = longestChain(exchanges);
    if (chain <= this.#chain) return;
    this.#chain = chain;
    this.#chainIn = check;
  }

  /** What is known so far; `others` are requests after preflight that the client did not send. */
  footprint(traffic: Traffic | undefined, others: number): Footprint {
    return {
      ...writtenBy(traffic),
      requests: this.#preflightRequests + (traffic?.requests ?? 0) + others,
      longestChain: this.#preflightChain + this.#chain,
      ...(this.#chainIn === undefined ? {} : { longestChainIn: this.#chainIn }),
    };
  }
}

/** What clients sent and left on the server; `undefined` stands for one that never was, as when preflight ended the run. */
export function writtenBy(...clients: readonly (Traffic | undefined)[]): Footprint {
  const sum = { requests: 0, messages: 0, bytesWritten: 0 };
  for (const { requests, messages, bytesWritten } of clients.flatMap((traffic) => traffic ?? [])) {
    sum.requests += requests;
    sum.messages += messages;
    sum.bytesWritten += bytesWritten;
  }
  return sum;
}

/** What accepted sends have left. */
export type Written = Pick<Footprint, 'messages' | 'bytesWritten'>;

/** What operations of a history have left on the server; a key that is used again leaves nothing more. */
export function writtenIn(operations: readonly Operation[]): Written {
  const accepted = operations.filter(
    (each): each is Send => each.kind === 'send' && each.outcome === 'accepted',
  );
  const byKey = new Map(
    accepted.map(({ agent, channel, key, content }, index) => [
      `${agent} ${channel} ${key ?? index}`,
      content?.bytes ?? 0,
    ]),
  );
  return { messages: byKey.size, bytesWritten: [...byKey.values()].reduce((sum, bytes) => sum + bytes, 0) };
}
