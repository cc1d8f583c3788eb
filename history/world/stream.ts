import type { Read } from '../operation.ts';
import type { Item } from '../seen-message.ts';
import { bySequence } from '../sequence.ts';
import type { Sequence } from '../sequence.ts';
import { RankTree } from './rank-tree.ts';
import { sightBy, widen } from './sight.ts';
import type { Place, Showing } from './sight.ts';
import { countWhile } from './sorted.ts';

/** The highest sequence that reads had shown by some time, and the read that did. */
export interface Reached {
  readonly sequence: Sequence;
  readonly by: Read;
}

/** All that was read of one channel, or of one feed. */
export class Stream {
  readonly name: string;
  readonly isFeed: boolean;
  /** Accepted baseline reads, by their ends. */
  readonly reads: readonly Read[];
  /** Baseline reads that the service refused. */
  readonly refused: readonly Read[];
  /** Every place that was shown, by sequence. */
  readonly all: readonly Place[];
  /** Those of `all` whose place and identity no other place disputes, by rank. */
  readonly places: readonly Place[];
  readonly #showings: ReadonlyMap<Item, Showing>;
  readonly #issued = new Map<Sequence, Read>();
  #lasts: RankTree | undefined;
  #knowns: RankTree | undefined;
  #reached: { readonly ends: Float64Array; readonly tops: readonly (Reached | undefined)[] } | undefined;

  constructor(name: string, reads: readonly Read[], refused: readonly Read[]) {
    this.name = name;
    this.isFeed = name.startsWith('feed ');
    this.reads = reads.toSorted((one, other) => one.endedMs - other.endedMs);
    this.refused = refused;
    const { showings, places } = sightingsOf(this.reads);
    this.#showings = showings;
    this.all = places.toSorted((one, other) => bySequence(one.sequence, other.sequence));
    this.places = undisputed(this.all, this.isFeed);
    for (const read of this.reads) {
      const { nextAfter } = read;
      if (nextAfter !== undefined && !isEcho(read) && !this.#issued.has(nextAfter))
        this.#issued.set(nextAfter, read);
    }
  }

  /** The channel that the stream is of; `undefined` for a feed. */
  get channel(): string | undefined {
    return this.isFeed ? undefined : this.name.slice('channel '.length);
  }

  /** Everything shown, each in every form. */
  get showings(): IterableIterator<Showing> {
    return this.#showings.values();
  }

  /** The place of an item; `undefined` where it has no sequence or no id. */
  placeOf(item: Item): Place | undefined {
    return this.#showings.get(item)?.place;
  }

  /** How many places lie at or below a sequence. */
  ranksUpTo(sequence: Sequence): number {
    const { places } = this;
    return countWhile(places.length, (rank) => (places[rank]?.sequence ?? 0) <= sequence);
  }

  /** The first rank from `from` on that was shown by a read that began after `ms`. */
  nextShownAfter(from: number, ms: number): number {
    this.#lasts ??= new RankTree(Float64Array.from(this.places, ({ lastMs }) => lastMs));
    return this.#lasts.nextAbove(from, ms);
  }

  /** The first rank from `from` on that a read had shown that ended before `ms`. */
  nextKnownBefore(from: number, ms: number): number {
    this.#knowns ??= new RankTree(Float64Array.from(this.places, ({ knownMs }) => -knownMs));
    return this.#knowns.nextAbove(from, -ms);
  }

  /** The highest sequence on reads that ended before `ms`. */
  reachedBefore(ms: number): Reached | undefined {
    this.#reached ??= reachedBy(this.reads);
    const { ends, tops } = this.#reached;
    return tops[countWhile(ends.length, (rank) => (ends[rank] ?? 0) < ms) - 1];
  }

  /** The first read that issued a cursor and ended before `ms`; `undefined` also for 0, which needs none. */
  issuerOf(cursor: Sequence, ms: number): Read | undefined {
    const read = this.#issued.get(cursor);
    if (read !== undefined && read.endedMs < ms) return read;
    const place = this.places[this.ranksUpTo(cursor) - 1];
    return place?.sequence === cursor && place.knownMs < ms ? place.knownBy : undefined;
  }
}

/** A page that hands back what it was asked with, and shows nothing, issues nothing: whoever asked may have made it up. */
function isEcho({ after, nextAfter, items }: Read): boolean {
  return items.length === 0 && after !== undefined && nextAfter === after;
}

function sightingsOf(reads: readonly Read[]): { showings: Map<Item, Showing>; places: readonly Place[] } {
  const showings = new Map<Item, Showing>();
  const places = new Map<string, Place>();
  for (const read of reads) {
    for (const item of read.items) {
      const showing = showings.get(item);
      if (showing === undefined) {
        const place = placeFor(places, item, read);
        if (place !== undefined) showings.set(item, { ...sightBy(read), item, place });
      } else {
        widen(showing, read);
        widen(showing.place, read);
      }
    }
  }
  return { showings, places: [...places.values()] };
}

/** The place of an item that was not shown in this form before, with this read taken into account. */
function placeFor(places: Map<string, Place>, item: Item, read: Read): Place | undefined {
  const { sequence, message } = item;
  const { id } = message;
  if (sequence === undefined || id === undefined) return undefined;
  const key = `${sequence} ${id}`;
  const known = places.get(key);
  if (known !== undefined) {
    widen(known, read);
    return known;
  }
  const place: Place = { ...sightBy(read), sequence, id, item, rank: -1 };
  places.set(key, place);
  return place;
}

/** An event that names several targets of a reader may stand in its feed once for each. */
export function mayStandTwice({ item }: Place, isFeed: boolean): boolean {
  return isFeed && item.message.targets.length > 1;
}

function undisputed(all: readonly Place[], isFeed: boolean): readonly Place[] {
  const byId = new Map<string, Place>();
  const moved = new Set<string>();
  for (const place of all) {
    if (byId.has(place.id) && !mayStandTwice(place, isFeed)) moved.add(place.id);
    byId.set(place.id, place);
  }
  const clear = all.filter(
    (place, index) =>
      !moved.has(place.id) &&
      all[index - 1]?.sequence !== place.sequence &&
      all[index + 1]?.sequence !== place.sequence,
  );
  clear.forEach((place, rank) => {
    place.rank = rank;
  });
  return clear;
}

function reachedBy(reads: readonly Read[]): {
  readonly ends: Float64Array;
  readonly tops: readonly (Reached | undefined)[];
} {
  let top: Reached | undefined;
  const tops = reads.map((read) => {
    for (const { sequence } of read.items)
      if (sequence !== undefined && (top === undefined || sequence > top.sequence))
        top = { sequence, by: read };
    return top;
  });
  return { ends: Float64Array.from(reads, ({ endedMs }) => endedMs), tops };
}
