import type { History, HistoryFacts, Operation } from '../../../history/operation.ts';

/** An operation before it has its place. */
export type Unplaced = Operation extends infer Each
  ? Each extends Operation
    ? Omit<Each, 'index'>
    : never
  : never;

/** Collects what clients did, by a clock that may tick coarsely. */
export class Recorder {
  readonly #facts: HistoryFacts;
  readonly #tickMs: number;
  readonly #operations: Unplaced[] = [];

  constructor(facts: HistoryFacts, tickMs: number) {
    this.#facts = facts;
    this.#tickMs = tickMs === 0 ? 0.001 : tickMs;
  }

  /** Adds what has ended. */
  add(operation: Unplaced): void {
    this.#operations.push({
      ...operation,
      startedMs: this.#ticked(operation.startedMs),
      endedMs: this.#ticked(operation.endedMs),
    });
  }

  /** All of it, by the order of the ends. */
  history(): History {
    const operations = this.#operations
      .toSorted((one, other) => one.endedMs - other.endedMs)
      .map((operation, index): Operation => ({ index, ...operation }));
    return { facts: this.#facts, operations };
  }

  #ticked(atMs: number): number {
    return Math.floor(atMs / this.#tickMs) * this.#tickMs;
  }
}
