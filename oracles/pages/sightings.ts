import { placed, type PlacedItem, type TimedPage } from './read-page.ts';

/** A message and when reads showed it, in ms of the clock of the reads. */
export interface SeenMessage<P> extends PlacedItem {
  /** End of the first read that showed it: it was there then. */
  readonly knownMs: number;
  /** Begin of the last read that showed it: it was retained up to then. */
  readonly lastMs: number;
  /** Those two reads. */
  readonly knownBy: P;
  readonly lastBy: P;
}

/**
 * Everything that the reads of one stream showed, by sequence. Where messages keep moving, or share a sequence, other
 * rules speak; here the first place seen of a message counts.
 */
export class Sightings<P extends TimedPage> {
  readonly #bySequence: readonly SeenMessage<P>[];

  constructor(reads: readonly P[]) {
    this.#bySequence = collect(reads);
  }

  /** The highest sequence seen. */
  get top(): bigint | undefined {
    return this.#bySequence.at(-1)?.sequence;
  }

  /** Messages above `after`, up to and with `last`, by sequence; none when either is unknown. */
  between(after: bigint | undefined, last: bigint | undefined): readonly SeenMessage<P>[] {
    if (after === undefined || last === undefined) return [];
    return this.#bySequence.slice(this.#rankAbove(after), this.#rankAbove(last));
  }

  /** Messages above `reach`, by sequence; none when it is unknown. */
  above(reach: bigint | undefined): readonly SeenMessage<P>[] {
    return this.between(reach, this.top);
  }

  /** How many messages lie at or below a sequence. */
  #rankAbove(sequence: bigint): number {
    let low = 0;
    let high = this.#bySequence.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#bySequence[middle]?.sequence ?? 0n) <= sequence) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function collect<P extends TimedPage>(reads: readonly P[]): SeenMessage<P>[] {
  const seen = new Map<string, SeenMessage<P>>();
  for (const read of reads) {
    const { startedMs, endedMs } = read.exchange;
    for (const { sequence, id } of placed(read.items)) {
      const known = seen.get(id);
      const isFirst = known === undefined || endedMs < known.knownMs;
      const isLast = known === undefined || startedMs > known.lastMs;
      seen.set(id, {
        id,
        sequence: known?.sequence ?? sequence,
        knownMs: isFirst ? endedMs : known.knownMs,
        knownBy: isFirst ? read : known.knownBy,
        lastMs: isLast ? startedMs : known.lastMs,
        lastBy: isLast ? read : known.lastBy,
      });
    }
  }
  return [...seen.values()].toSorted((left, right) => Number(left.sequence - right.sequence));
}
