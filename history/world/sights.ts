import type { Read } from '../operation.ts';
import type { Page } from './page.ts';
import { RankTree } from './rank-tree.ts';
import type { Place } from './sight.ts';

/** From when to when a place was seen, and by which reads. */
export interface Seen {
  readonly knownMs: number;
  readonly knownBy: Read;
  readonly lastMs: number;
  readonly lastBy: Read;
}

/** When the places of a stream were seen, by rank: by anybody, or by one reader alone. */
export class Sights {
  readonly #knowns: Float64Array;
  readonly #lasts: Float64Array;
  readonly #seenAt: (rank: number) => Seen | undefined;
  #byKnown: RankTree | undefined;
  #byLast: RankTree | undefined;

  private constructor(knowns: Float64Array, lasts: Float64Array, seenAt: (rank: number) => Seen | undefined) {
    this.#knowns = knowns;
    this.#lasts = lasts;
    this.#seenAt = seenAt;
  }

  /** Of all readers. */
  static ofAll(places: readonly Place[]): Sights {
    return new Sights(
      Float64Array.from(places, ({ knownMs }) => knownMs),
      Float64Array.from(places, ({ lastMs }) => lastMs),
      (rank) => places[rank],
    );
  }

  /** Of whoever read these pages, which stand by their ends. */
  static ofReader(count: number, pages: readonly Page[]): Sights {
    const knowns = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
    const lasts = new Float64Array(count).fill(Number.NEGATIVE_INFINITY);
    const knownBy = new Int32Array(count);
    const lastBy = new Int32Array(count);
    for (const [index, { read, places }] of pages.entries())
      for (const { rank } of places) {
        if (rank < 0) continue;
        if (read.endedMs < (knowns[rank] ?? 0)) {
          knowns[rank] = read.endedMs;
          knownBy[rank] = index;
        }
        if (read.startedMs > (lasts[rank] ?? 0)) {
          lasts[rank] = read.startedMs;
          lastBy[rank] = index;
        }
      }
    return new Sights(knowns, lasts, (rank) => {
      const [first, last] = [pages[knownBy[rank] ?? 0]?.read, pages[lastBy[rank] ?? 0]?.read];
      if (first === undefined || last === undefined || !((lasts[rank] ?? 0) > Number.NEGATIVE_INFINITY))
        return undefined;
      return { knownMs: first.endedMs, knownBy: first, lastMs: last.startedMs, lastBy: last };
    });
  }

  /** When a place was seen; `undefined` for one that never was. */
  at(rank: number): Seen | undefined {
    return this.#seenAt(rank);
  }

  /** The first rank from `from` on that was shown by a read that began after `ms`. */
  nextShownAfter(from: number, ms: number): number {
    this.#byLast ??= new RankTree(this.#lasts);
    return this.#byLast.nextAbove(from, ms);
  }

  /** The first rank from `from` on that a read had shown that ended before `ms`. */
  nextKnownBefore(from: number, ms: number): number {
    this.#byKnown ??= new RankTree(this.#knowns.map((known) => -known));
    return this.#byKnown.nextAbove(from, -ms);
  }
}
