import { AsyncLocalStorage } from 'node:async_hooks';
import { contractRules, type Rules } from '../../reference/rules/rules.ts';
import type { Overlay } from '../mutants/index.ts';

/** A send between the look at its key and its commit. */
interface SendInHand {
  channelId: string;
  /** Another send to the channel was in hand at the same time. */
  hasCompany: boolean;
  /** The last sequence of the channel when this one came into hand. */
  lastSeen: bigint;
}

/** How long a send is in hand, in ms: a commit that takes its time, as that of a database does. */
const commitMs = 6;

/**
 * The sends that a server has in hand at one time. A mutant that asks it can go wrong where two of them meet, and nowhere
 * else: who sends one message after the other finds nothing.
 */
export class SendsInHand {
  readonly #current = new AsyncLocalStorage<SendInHand>();
  readonly #all = new Set<SendInHand>();
  /** The last sequence that each channel gave out. */
  readonly lastOf = new Map<string, bigint>();

  /** The send whose request is being served. */
  get current(): SendInHand | undefined {
    return this.#current.getStore();
  }

  /** Whether another send to its channel was in hand at the same time. */
  get hasMet(): boolean {
    return this.current?.hasCompany === true;
  }

  /** The last sequence of its channel when it came into hand; 0 where there was none. */
  get lastSeen(): bigint {
    return this.current?.lastSeen ?? 0n;
  }

  /** The others in hand, those to other channels included. */
  get others(): readonly SendInHand[] {
    return [...this.#all].filter((each) => each !== this.current);
  }

  /** A mutant that knows which sends are in hand. */
  overlay({ rules, answer }: Overlay): Overlay {
    return {
      rules: { ...this.rules, ...rules },
      answer: (given, request) => {
        // One that is refused, or answered as before, is never committed.
        if (this.current !== undefined) this.#all.delete(this.current);
        return answer?.(given, request);
      },
    };
  }

  /** The rules by which sends come into hand, and out of it at their commit. */
  get rules(): Partial<Rules> {
    return {
      // The first rule that is asked of a request is the place from which all that follows knows which it is.
      countsAgainstRate: (route) => {
        if (route === 'send') this.#current.enterWith({ channelId: '', hasCompany: false, lastSeen: 0n });
        return contractRules.countsAgainstRate(route);
      },
      idempotencyScope: (use) => {
        this.#begin(use.channelId);
        return contractRules.idempotencyScope(use);
      },
      pauseBeforeCommitMs: () => commitMs,
      nextChannelSequence: (...known) => this.numbered(contractRules.nextChannelSequence(...known)),
      firstChannelSequence: (channelId, event) =>
        this.numbered(contractRules.firstChannelSequence(channelId, event)),
    };
  }

  /** Notes the sequence of the send in hand, which is committed now. */
  numbered(sequence: bigint): bigint {
    const { current } = this;
    if (current === undefined) return sequence;
    this.#all.delete(current);
    this.lastOf.set(current.channelId, sequence);
    return sequence;
  }

  #begin(channelId: string): void {
    const { current } = this;
    if (current === undefined) return;
    const company = [...this.#all].filter((each) => each.channelId === channelId);
    for (const each of company) each.hasCompany = true;
    current.channelId = channelId;
    current.hasCompany = company.length > 0;
    current.lastSeen = this.lastOf.get(channelId) ?? 0n;
    this.#all.add(current);
  }
}
