import type { ClauseId } from '../../spec/index.ts';
import type { Exchange } from '../client/exchange.ts';
import { judgeWire } from './wire-judgement.ts';
import type { WireFacts, WireProblem } from './wire-judgement.ts';

/** One root of wire trouble: a clause and the rule of it that was broken, with its first sighting. */
export interface WireSighting {
  readonly problem: WireProblem;
  readonly exchange: Exchange;
  /** The check whose exchange showed it first. */
  readonly metIn: string;
  /** Answers that broke the rule. */
  times: number;
}

/**
 * Holds every answer of a run against the clauses about form. What is broken counts whoever met it; what is kept counts
 * only in checks that passed, so that a server which answers everything with one well-formed constant proves nothing.
 */
export class WireLedger {
  readonly #facts: WireFacts;
  readonly #sightings = new Map<string, WireSighting>();
  readonly #exercisedBy = new Map<string, Map<ClauseId, number>>();
  readonly #exercised = new Map<ClauseId, number>();

  constructor(facts: WireFacts) {
    this.#facts = facts;
  }

  /** Judges one answer that the check `checkId` received. */
  add(checkId: string, exchange: Exchange): void {
    const judgement = judgeWire(exchange, this.#facts);
    if (judgement === undefined) return;
    const own = this.#exercisedBy.get(checkId) ?? new Map<ClauseId, number>();
    this.#exercisedBy.set(checkId, own);
    for (const clause of judgement.exercised) {
      own.set(clause, (own.get(clause) ?? 0) + 1);
      this.#exercised.set(clause, (this.#exercised.get(clause) ?? 0) + 1);
    }
    for (const problem of judgement.problems) this.#note(problem, exchange, checkId);
  }

  get sightings(): readonly WireSighting[] {
    return [...this.#sightings.values()];
  }

  /** Answers that put a clause to the test, whichever check asked. */
  exercisedTimes(clause: ClauseId): number {
    return this.#exercised.get(clause) ?? 0;
  }

  /** Times each clause was put to the test by the exchanges of the given checks. */
  exercisedBy(checkIds: Iterable<string>): Map<ClauseId, number> {
    const sum = new Map<ClauseId, number>();
    for (const id of checkIds) {
      for (const [clause, count] of this.#exercisedBy.get(id) ?? [])
        sum.set(clause, (sum.get(clause) ?? 0) + count);
    }
    return sum;
  }

  #note(problem: WireProblem, exchange: Exchange, metIn: string): void {
    const key = `${problem.clause} ${problem.part}`;
    const known = this.#sightings.get(key);
    if (known === undefined) this.#sightings.set(key, { problem, exchange, metIn, times: 1 });
    else known.times += 1;
  }
}
