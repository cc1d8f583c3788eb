import type { SeenReceipts } from '../../../history/seen-message.ts';

/** Who retrieved which message, and since when the service knows. */
export class Retrievals {
  readonly #of = new Map<string, Retrieval[]>();

  /** Records a retrieval, once for each agent. */
  record(message: string, agent: string, atMs: number): void {
    const list = this.#of.get(message) ?? [];
    if (list.some((each) => each.agent === agent)) return;
    list.push({ agent, atMs });
    this.#of.set(message, list);
  }

  /** Agents that retrieved a message as far as was known then, in the order of the contract. */
  known(message: string, atMs: number): readonly string[] {
    const list = this.#of.get(message)?.filter((each) => each.atMs <= atMs) ?? [];
    return list.toSorted(byTimeThenId).map(({ agent }) => agent);
  }
}

/** The preview of a list. */
export function previewOf(agents: readonly string[]): SeenReceipts {
  return { agents: agents.slice(0, 32), hasMore: agents.length > 32 };
}

interface Retrieval {
  readonly agent: string;
  readonly atMs: number;
}

function byTimeThenId(one: Retrieval, other: Retrieval): number {
  return one.atMs - other.atMs || (one.agent < other.agent ? -1 : 1);
}
