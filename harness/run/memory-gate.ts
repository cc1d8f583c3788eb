import type { CheckEvent } from '../results/generated/events.ts';
import { verdictOfCheck } from '../verdict/tally.ts';

/** Why a pass does not count on a server that forgets. */
const neverShown = 'the server accepted messages of this run and never showed any of them';

/**
 * Holds passes back until the server has shown something that the run sent. One that accepts everything and remembers
 * nothing, or answers every read with one well-formed constant, has proved nothing by any of its answers.
 */
export class MemoryGate {
  readonly #emit: (event: CheckEvent) => void;
  readonly #held: CheckEvent[] = [];
  #isOpen = false;

  constructor(emit: (event: CheckEvent) => void) {
    this.#emit = emit;
  }

  /** Lets everything through from now on, what was held first. */
  open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    for (const event of this.#held.splice(0)) this.#emit(event);
  }

  /** Lets what was held go as inconclusive: the run is over, and nothing of it was ever shown. */
  close(reason = neverShown): void {
    for (const event of this.#held.splice(0)) this.#emit(withoutPasses(event, reason));
  }

  /** Passes an event on, at once or when its passes count. */
  take(event: CheckEvent): void {
    const hasPassed = event.clauses.some(({ verdict }) => verdict === 'passed');
    if (hasPassed && !this.#isOpen) this.#held.push(event);
    else this.#emit(event);
  }
}

function withoutPasses(event: CheckEvent, reason: string): CheckEvent {
  const clauses = event.clauses.map((clause) =>
    clause.verdict === 'passed' ? { ...clause, verdict: 'inconclusive' as const, reason } : clause,
  );
  return { ...event, clauses, verdict: verdictOfCheck(clauses) };
}
