import type { ClauseId } from '../../spec/index.ts';
import type { Exchange } from '../client/exchange.ts';
import type { Failure } from './outcome.ts';

/** A clause was judged in a situation: the values of the dimensions along which it could be broken. */
export interface Situation {
  readonly clause: ClauseId;
  readonly dimensions: Readonly<Record<string, string>>;
}

/** What the operator was asked to change, in words. */
export interface MadeChange {
  readonly text: string;
  readonly startedMs: number;
}

/** What one attempt at a check has judged so far. An attempt that judged nothing of a clause proves nothing of it. */
export class Ledger {
  /** All of them, without the bodies of long answers: what a check judges it holds itself. */
  readonly exchanges: Exchange[] = [];
  /** Tries of writes that were made again under their keys. */
  readonly repeated: Exchange[] = [];
  /** Failures that did not stop the check: those of inferred clauses. */
  readonly failures: Failure[] = [];
  readonly situations: Situation[] = [];
  /** By time. */
  readonly changes: MadeChange[] = [];
  readonly #judged = new Map<ClauseId, number>();

  /** Counts `count` judgements of a clause, whichever way they went. */
  judge(clause: ClauseId, count = 1): void {
    this.#judged.set(clause, this.judgedOf(clause) + count);
  }

  judgedOf(clause: ClauseId): number {
    return this.#judged.get(clause) ?? 0;
  }

  /** All judgements of all clauses. */
  get judged(): number {
    let sum = 0;
    for (const count of this.#judged.values()) sum += count;
    return sum;
  }
}
