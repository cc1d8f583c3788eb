import type { Read } from '../operation.ts';
import type { Item } from '../seen-message.ts';
import { bySequence } from '../sequence.ts';
import type { Sequence } from '../sequence.ts';
import { pageOf } from './page.ts';
import type { Page } from './page.ts';
import { RankTree } from './rank-tree.ts';
import { Place, Showing } from './sight.ts';
import { byTime, countWhile } from './sorted.ts';

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
  readonly pages: readonly Page[];
  /** Baseline reads that the service refused. */
  readonly refused: readonly Read[];
  /** Every place that was shown, by sequence. */
  readonly all: readonly Place[];
  /** Those of `all` whose place and identity no other place disputes, by rank. */
  readonly places: readonly Place[];
  readonly #showings: ReadonlyMap<Item, Showing>;
  readonly #issued = new Map<Sequence, Read>();
  /** By rank, where all of them are numbers. */
  readonly #sequences: Float64Array | undefined;
  #lasts: RankTree | undefined;
  #knowns: RankTree | undefined;
  #reached: { readonly ends: Float64Array; readonly tops: readonly (Reached | undefined)[] } | undefined;

  constructor(name: string, reads: readonly Read[], refused: readonly Read[]) {
    this.name = name;
    this.isFeed = name.startsWith('feed ');
    this.refused = refused;
    const sightings = new Sightings();
    this.pages = byTime(reads, ({ endedMs }) => endedMs).map((read) => sightings.add(read));
    this.#showings = sightings.showings;
    this.all = sightings.places.sort((one, other) => bySequence(one.sequence, other.sequence));
    this.places = undisputed(this.all, this.isFeed);
    if (this.places.every(({ sequence }) => typeof sequence === 'number'))
      this.#sequences = Float64Array.from(this.places, ({ sequence }) => Number(sequence));
    for (const { read } of this.pages) {
      const { nextAfter } = read;
      if (nextAfter !== undefined && !isEcho(read) && !this.#issued.has(nextAfter))
        this.#issued.set(nextAfter, read);
    }
  }

  /** The channel that the stream is of; `undefined` for a feed. */
  get channel(): string | undefined {
    return this.isFeed ? undefined : this.name.slice('channel '.length);
  }

  /** Whether no place and no identity is in doubt. */
  get isClear(): boolean {
    return this.all.length === this.places.length;
  }

  /** Everything shown, each in every form. */
  get showings(): IterableIterator<Showing> {
    return this.#showings.values();
  }

  /** Whether each place was shown in one form alone. */
  get isConstant(): boolean {
    return this.#showings.size === this.all.length;
  }

  /** How many places lie at or below a sequence. */
  ranksUpTo(sequence: Sequence): number {
    const sequences = this.#sequences;
    const { places } = this;
    if (sequences === undefined || typeof sequence !== 'number')
      return countWhile(places.length, (rank) => (places[rank]?.sequence ?? 0) <= sequence);
    let low = 0;
    let high = sequences.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((sequences[middle] ?? 0) <= sequence) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The first rank that a page answers for: after its cursor, or that of its first item; `undefined` without either. */
  beginOf({ read: { after }, first, places, isRising }: Page): number | undefined {
    const rank = isRising ? (places[0]?.rank ?? -1) : -1;
    if (after === undefined)
      return first === undefined ? undefined : rank >= 0 ? rank : this.ranksUpTo(first) - 1;
    // Mostly nothing lies between the cursor and the first item.
    const before = rank > 0 ? this.places[rank - 1] : undefined;
    if (
      rank >= 0 &&
      first !== undefined &&
      first > after &&
      (before === undefined ? rank === 0 : before.sequence <= after)
    )
      return rank;
    return this.ranksUpTo(after);
  }

  /** How many places lie at or below the end of a page. */
  endOf({ reach, top, places, isRising }: Page): number {
    const last = places.at(-1);
    return isRising && reach === top && last !== undefined && last.rank >= 0 && last.sequence === top
      ? last.rank + 1
      : this.ranksUpTo(reach);
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
    this.#reached ??= reachedBy(this.pages);
    const { ends, tops } = this.#reached;
    return tops[countWhile(ends.length, (rank) => (ends[rank] ?? 0) < ms) - 1];
  }

  /** Whether a page handed a cursor out. */
  isIssued(cursor: Sequence): boolean {
    return this.#issued.has(cursor);
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

/** What reads showed, taken in one after another. */
class Sightings {
  readonly showings = new Map<Item, Showing>();
  readonly places: Place[] = [];
  readonly #byKey = new Map<string, Place>();

  /** Takes a read into account. */
  add(read: Read): Page {
    const places: Place[] = [];
    for (const item of read.items) {
      const showing = this.showings.get(item);
      if (showing === undefined) {
        const place = this.#placeOf(item, read);
        if (place === undefined) continue;
        this.showings.set(item, new Showing(read, item, place));
        places.push(place);
      } else {
        showing.widen(read);
        showing.place.widen(read);
        places.push(showing.place);
      }
    }
    return pageOf(read, places);
  }

  /** The place of an item that was not shown in this form before, with this read taken into account. */
  #placeOf(item: Item, read: Read): Place | undefined {
    const { sequence, message } = item;
    const { id } = message;
    if (sequence === undefined || id === undefined) return undefined;
    const key = `${sequence} ${id}`;
    const known = this.#byKey.get(key);
    if (known !== undefined) {
      known.widen(read);
      return known;
    }
    const place = new Place(read, item, sequence, id);
    this.#byKey.set(key, place);
    this.places.push(place);
    return place;
  }
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

function reachedBy(pages: readonly Page[]): {
  readonly ends: Float64Array;
  readonly tops: readonly (Reached | undefined)[];
} {
  let highest: Reached | undefined;
  const tops = pages.map(({ top, read }) => {
    if (top !== undefined && (highest === undefined || top > highest.sequence))
      highest = { sequence: top, by: read };
    return highest;
  });
  return { ends: Float64Array.from(pages, ({ read }) => read.endedMs), tops };
}
