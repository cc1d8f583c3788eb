import type { ResultEvent } from '../../harness/results/generated/events.ts';
import { countOf } from '../../reporters/quantities.ts';

/** How many checks of a run have ended, of all that it tells of: those over the whole run are among both. */
export class ChecksEnded {
  #all = 0;
  #ended = 0;

  add(event: ResultEvent): void {
    if (event.type === 'header') this.#all = event.checks;
    if (event.type === 'check') this.#ended += 1;
  }

  /** `2 checks of 391 ended`. */
  get inWords(): string {
    return `${countOf(this.#ended, 'check')} of ${this.#all} ended`;
  }
}
