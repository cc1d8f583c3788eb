import type { History, HistoryFacts, Operation } from '../../../history/operation.ts';

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Collects what clients did, by a clock that may tick coarsely. */
export class Recorder {
  readonly #facts: HistoryFacts;
  readonly #tickMs: number;
  readonly #operations: Writable<Operation>[] = [];

  constructor(facts: HistoryFacts, tickMs: number) {
    this.#facts = facts;
    this.#tickMs = tickMs === 0 ? 0.001 : tickMs;
  }

  /** Takes what has ended; its times become those of the coarse clock, its index is set at the end. */
  add(operation: Writable<Operation>): void {
    operation.startedMs = this.#ticked(operation.startedMs);
    operation.endedMs = this.#ticked(operation.endedMs);
    this.#operations.push(operation);
  }

  /** All of it, by the order of the ends. */
  history(): History {
    const operations = this.#operations.toSorted((one, other) => one.endedMs - other.endedMs);
    for (const [index, operation] of operations.entries()) operation.index = index;
    return { facts: this.#facts, operations };
  }

  #ticked(atMs: number): number {
    return Math.floor(atMs / this.#tickMs) * this.#tickMs;
  }
}
