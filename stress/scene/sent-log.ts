import type { Outcome } from '../../history/operation.ts';
import type { Agent } from './agents.ts';

/** A body that was sent to a channel under a key, by whom, and what became of the last attempt. */
export interface SentOnce {
  readonly agent: Agent;
  readonly channel: string;
  readonly key: string;
  readonly body: string;
  /** `undefined` while the first attempt is on its way. */
  outcome: Outcome | undefined;
}

/** Everything that was sent, so that a key can be used again and what is indeterminate can be asked about. */
export class SentLog {
  readonly #all: SentOnce[] = [];
  readonly #byAgent = new Map<string, SentOnce[]>();

  add(sent: SentOnce): void {
    this.#all.push(sent);
    const { name } = sent.agent;
    const own = this.#byAgent.get(name);
    if (own === undefined) this.#byAgent.set(name, [sent]);
    else own.push(sent);
  }

  /** An earlier send of an agent, counted back from its newest; `undefined` before the first. */
  earlier(agent: Agent, back: number): SentOnce | undefined {
    const own = this.#byAgent.get(agent.name) ?? [];
    return own[own.length - 1 - (back % own.length)];
  }

  /** Sends of which nobody knows whether they happened. */
  get indeterminate(): readonly SentOnce[] {
    return this.#all.filter(({ outcome }) => outcome === 'indeterminate' || outcome === undefined);
  }
}
