import type { AnomalyName } from '../../history/anomalies/catalogue.ts';
import type { Judged } from '../../history/anomalies/judge.ts';
import { judgeHistory } from '../../history/judges/index.ts';
import type { History } from '../../history/operation.ts';
import { patienceMsOf } from '../config/target.ts';
import { sleep } from '../client/pacing/clock.ts';

/** What judges call that which was accepted and came nowhere to light. */
const missing: readonly AnomalyName[] = ['lost-write', 'silent-drop', 'lost-across-restart', 'mention-lost'];
/** Nothing is waited for longer any more once it did not come so many times. */
const mostInVain = 3;

/** A history that is judged when all that belongs to it has been read. */
interface Closed {
  readonly history: History;
  /** Reads everything once more, into the history. */
  readonly readOn: () => Promise<unknown>;
}

/** How the chapters of one server wait for what comes later than the settle time: the contract does not say when it has to. */
export class Patience {
  readonly #settleMs: number;
  #inVain = 0;

  constructor(settleMs: number) {
    this.#settleMs = settleMs;
  }

  /** How long something is waited for, in ms. */
  get ms(): number {
    return this.#inVain < mostInVain ? patienceMsOf(this.#settleMs) : this.#settleMs;
  }

  wasInVain(): void {
    this.#inVain += 1;
  }

  /** What the judges make of a chapter; where they miss what was accepted, after a longer look. */
  async judge({ history, readOn }: Closed): Promise<Judged> {
    const judged = judgeHistory(history);
    if (!isMissing(judged) || this.#inVain >= mostInVain) return judged;
    await sleep(this.ms);
    await readOn();
    const again = judgeHistory(history);
    if (isMissing(again)) this.wasInVain();
    return again;
  }
}

function isMissing({ anomalies }: Judged): boolean {
  return anomalies.some(({ name }) => missing.includes(name));
}
