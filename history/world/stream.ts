import type { Read } from '../operation.ts';
import { mayHaveSeveralTargets } from '../seen-message.ts';
import { bySequence, type Sequence } from '../sequence.ts';
import type { Page } from './page.ts';
import type { Place, Showing } from './sight.ts';
import { Sightings } from './sightings.ts';
import { Sights } from './sights.ts';
import { grouped, remembered } from '../../spec/groups.ts';
import { byTime, countWhile, Highest } from './sorted.ts';

/** All that was read of one channel, or of one feed. */
export class Stream {
  readonly name: string;
  readonly isFeed: boolean;
  /** The agent whose feed it is; `undefined` for a channel, and where nobody knows. */
  readonly reader: string | undefined;
  /** Accepted baseline reads, by their ends. */
  readonly pages: readonly Page[];
  /** Baseline reads that the service refused. */
  readonly refused: readonly Read[];
  /** Every place that was shown, by sequence. */
  readonly all: readonly Place[];
  /** Those of `all` whose place and identity no other place disputes, by rank. */
  readonly places: readonly Place[];
  /** Messages that were shown at several places. */
  readonly repeated: ReadonlySet<string>;
  /** Those for which one place is right, each with its places by sequence. */
  readonly moved: ReadonlyMap<string, readonly Place[]>;
  readonly #issued = new Map<Sequence, Read>();
  /** By rank, where all of them are numbers. */
  readonly #sequences: Float64Array | undefined;
  #sights: Sights | undefined;
  readonly #sightsOf = new Map<string, Sights>();
  #pagesOf: ReadonlyMap<string, readonly Page[]> | undefined;
  #reached: Highest<ReachingPage> | undefined;
  #ended: Highest<Page> | undefined;
  #byStart: readonly Page[] | undefined;

  constructor(name: string, reads: readonly Read[], refused: readonly Read[], reader?: string) {
    this.name = name;
    this.reader = reader;
    this.isFeed = name.startsWith('feed ');
    this.refused = refused;
    const sightings = new Sightings();
    this.pages = byTime(reads, ({ endedMs }) => endedMs).map((read) => sightings.add(read));
    this.all = sightings.places.sort((one, other) => bySequence(one.sequence, other.sequence));
    this.repeated = sightings.repeated;
    this.moved = movedIn(sightings, this);
    this.places = undisputed(this.all, this.moved);
    if (this.places.every(({ sequence }) => typeof sequence === 'number'))
      this.#sequences = Float64Array.from(this.places, ({ sequence }) => Number(sequence));
    for (const page of this.pages) {
      page.begin = this.#beginOf(page);
      page.end = this.#endOf(page);
      const { nextAfter } = page;
      if (nextAfter !== undefined && !isEcho(page) && !this.#issued.has(nextAfter))
        this.#issued.set(nextAfter, page.read);
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
  *showings(): Generator<Showing> {
    for (const place of this.all) {
      if (place.isConstant) yield place;
      else yield* place.forms;
    }
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

  /** How many places lie below a sequence; one that others dispute is no place, and lies nowhere. */
  #ranksBelow(sequence: Sequence): number {
    const upTo = this.ranksUpTo(sequence);
    return this.places[upTo - 1]?.sequence === sequence ? upTo - 1 : upTo;
  }

  #beginOf({ after, first, places, isRising }: Page): number | undefined {
    const rank = isRising ? (places[0]?.rank ?? -1) : -1;
    if (after === undefined)
      return first === undefined ? undefined : rank >= 0 ? rank : this.#ranksBelow(first);
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

  #endOf({ reach, top, places, isRising }: Page): number {
    const last = places.at(-1);
    return isRising && reach === top && last !== undefined && last.rank >= 0 && last.sequence === top
      ? last.rank + 1
      : this.ranksUpTo(reach);
  }

  /** Whether a page shows as many as lie between its ends, in order: the usual one, on which nothing is missing. */
  isWhole({ begin, end, places, isRising, isExclusive }: Page): boolean {
    const isAsMany = begin !== undefined && end - begin === places.length;
    return isAsMany && isRising && isExclusive && this.isClear;
  }

  /** When each place was seen by anybody. */
  get sights(): Sights {
    this.#sights ??= Sights.ofAll(this.places);
    return this.#sights;
  }

  /** When each place was seen by one reader; the whole feed is its reader's. */
  sightsOf(agent: string): Sights {
    if (this.isFeed) return this.sights;
    const pagesOf = (this.#pagesOf ??= grouped(this.pages, (page) => page.agent));
    return remembered(this.#sightsOf, agent, () =>
      Sights.ofReader(this.places.length, pagesOf.get(agent) ?? []),
    );
  }

  /** The pages by the begins of their reads. */
  get pagesByStart(): readonly Page[] {
    this.#byStart ??= byTime(this.pages, ({ startedMs }) => startedMs);
    return this.#byStart;
  }

  /** Of the pages that ended before `ms` the one that shows the highest sequence. */
  reachedBefore(ms: number): ReachingPage | undefined {
    this.#reached ??= new Highest(
      this.pages.filter(isReaching),
      ({ endedMs }) => endedMs,
      ({ top }) => top,
    );
    return this.#reached.before(ms);
  }

  /** Of the pages that ended before `ms` and with them the stream, the one that ends lowest: what lies beyond came after it. */
  endedBefore(ms: number): Page | undefined {
    this.#ended ??= new Highest(
      this.pages.filter(({ hasMore }) => hasMore === false),
      ({ endedMs }) => endedMs,
      ({ reach }) => -reach,
    );
    return this.#ended.before(ms);
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
function isEcho({ after, nextAfter, size }: Page): boolean {
  return size === 0 && after !== undefined && nextAfter === after;
}

/** An event that names several targets of a reader may stand in its feed once for each. */
export function mayStandTwice(
  { item }: Place,
  { isFeed, reader }: Pick<Stream, 'isFeed' | 'reader'>,
): boolean {
  return isFeed && mayHaveSeveralTargets(item.message, reader);
}

/** Whether a page shows a message, at whichever of its places: it may list once what stands in a feed twice. */
export function isOn({ places }: Page, { id }: Place): boolean {
  return places.some((place) => place.id === id);
}

/** Whether a page shows at another place what may stand in a feed twice, so that it need not show it at this one. */
export function isShownElsewhere(
  page: Page,
  place: Place,
  stream: Pick<Stream, 'isFeed' | 'reader'>,
): boolean {
  return mayStandTwice(place, stream) && isOn(page, place);
}

/** Messages at several places where one is right, each with its places by sequence. */
function movedIn(
  sightings: Sightings,
  stream: Pick<Stream, 'isFeed' | 'reader'>,
): ReadonlyMap<string, readonly Place[]> {
  const moved = new Map<string, readonly Place[]>();
  for (const id of sightings.repeated) {
    const places = sightings.placesOf(id).toSorted((one, other) => bySequence(one.sequence, other.sequence));
    if (places.slice(1).some((place) => !mayStandTwice(place, stream))) moved.set(id, places);
  }
  return moved;
}

function undisputed(all: readonly Place[], moved: ReadonlyMap<string, readonly Place[]>): readonly Place[] {
  const clear = all.filter(
    (place, index) =>
      (moved.size === 0 || !moved.has(place.id)) &&
      all[index - 1]?.sequence !== place.sequence &&
      all[index + 1]?.sequence !== place.sequence,
  );
  clear.forEach((place, rank) => {
    place.rank = rank;
  });
  return clear;
}

/** A page that shows something. */
type ReachingPage = Page & { readonly top: Sequence };

function isReaching(page: Page): page is ReachingPage {
  return page.top !== undefined;
}
