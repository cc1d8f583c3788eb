import { countOf } from '../../reporters/quantities.ts';

/** For one reason it is said once in so long how much went through unjudged, in ms. */
const everyMs = 60_000;

/** Says how much went through unjudged and why: the first time at once, then what has come together in a minute. */
export class UnjudgedNotices {
  readonly #say: (text: string) => void;
  readonly #counts = new Map<string, number>();
  readonly #timers = new Map<string, NodeJS.Timeout>();

  constructor(say: (text: string) => void) {
    this.#say = say;
  }

  add(count: number, why: string): void {
    this.#counts.set(why, (this.#counts.get(why) ?? 0) + count);
    if (!this.#timers.has(why)) this.#tell(why);
  }

  /** Says what has not been said yet. */
  end(): void {
    for (const why of this.#counts.keys()) this.#tell(why);
    for (const timer of this.#timers.values()) clearTimeout(timer);
  }

  #tell(why: string): void {
    clearTimeout(this.#timers.get(why));
    this.#timers.delete(why);
    const count = this.#counts.get(why);
    if (count === undefined) return;
    this.#counts.delete(why);
    this.#say(`${countOf(count, 'exchange')} went through unjudged: ${why}`);
    this.#timers.set(why, setTimeout(() => this.#tell(why), everyMs).unref());
  }
}
