import type { Read } from '../operation.ts';
import type { TargetName } from '../seen-message.ts';
import type { Sequence } from '../sequence.ts';
import type { Page } from './page.ts';
import { filesAt, targetsAt, type Place } from './sight.ts';
import type { Stream } from './stream.ts';
import { remembered } from '../../spec/groups.ts';

/** Pages of one agent that continue each other while there is more: together they hold all that lies between their ends. */
export class Walk {
  readonly first: Page;
  last: Page;
  #pages: Page[] | undefined = undefined;

  constructor(first: Page) {
    this.first = first;
    this.last = first;
  }

  /** In their order. */
  get pages(): readonly Page[] {
    return this.#pages ?? [this.first];
  }

  get startedMs(): number {
    return this.first.startedMs;
  }

  get endedMs(): number {
    return this.last.endedMs;
  }

  get reach(): Sequence {
    return this.last.reach;
  }

  /** It ended because there was no more. */
  get isComplete(): boolean {
    return this.last.hasMore === false;
  }

  /** Whether it shows fewer messages than are known to lie between its begin and its end. */
  get hasGaps(): boolean {
    return this.#pages === undefined ? this.first.hasGaps : this.#pages.some((page) => page.hasGaps);
  }

  /** Goes on with another page. */
  add(page: Page): void {
    this.#pages ??= [this.first];
    this.#pages.push(page);
    this.last = page;
  }
}

/** Whatever was accepted is there for so long, unless newer messages take its place. */
export function leastKeptMs(settleMs: number): number {
  return Math.min(12 * settleMs, 5_000);
}

/** Hardly a server keeps fewer mentions of one target. */
export const leastKeptOfTarget = 3;

/** What a message has besides its text. */
interface Besides {
  readonly targets: readonly TargetName[];
  readonly files: readonly string[];
}

/** Messages of one class are kept alike, but that the longer may go first. Files take room, so that a message with some may go before others. */
export function classOf(bytes: number | undefined, { targets, files }: Besides): string {
  return `${sizeClassOf(bytes)}${files.length > 0 ? ' with files' : ''} ${targets.join(' ')}`;
}

/** Contents of one class are kept alike, but that the longer may go first. */
function sizeClassOf(bytes = 0): string {
  return bytes <= 1000 ? 'small' : bytes <= 10_000 ? 'middle' : bytes <= 100_000 ? 'large' : 'huge';
}

/**
 * The kind of a message: no retention that forgets the older first, or the longer, keeps one of a kind and forgets another that is
 * younger and no longer.
 */
export function kindOf(channel: string | undefined, author: string | undefined, ofClass: string): string {
  return `${channel} ${author} ${ofClass}`;
}

/**
 * The kind of what stands at a place. Mentions may be kept for each target by itself, in their channels as well as in feeds; one of unknown
 * targets is like no other.
 */
export function kindAt(place: Place): string {
  const targets = targetsAt(place);
  const isOfChannel = targets !== undefined && place.knownBy.call !== 'mentions';
  if (isOfChannel) return kindNaming(place, targets);
  return `${kindInFeeds(place)} ${targets === undefined ? place.id : targets.join(' ')}`;
}

/** The kind of what stands at a place, in feeds, whoever is named. */
export function kindInFeeds(place: Place): string {
  return kindNaming(place, []);
}

function kindNaming(place: Place, targets: readonly TargetName[]): string {
  const { channel, author, content } = place.item.message;
  return kindOf(channel, author?.id, classOf(content?.bytes, { targets, files: filesAt(place) }));
}

/** All walks of a stream; made once, for those who ask. */
export function walksOf(stream: Stream): readonly Walk[] {
  return remembered(known, stream, () => collect(stream));
}

const known = new WeakMap<Stream, readonly Walk[]>();

function collect({ pagesByStart, isFeed }: Stream): readonly Walk[] {
  const walks: Walk[] = [];
  const byAgent = new Map<string, Map<Sequence, Walk>>();
  for (const page of pagesByStart) {
    const { agent, after, startedMs, hasMore, nextAfter } = page;
    // What a channel returns without a cursor is left open, and says nothing of what it lacks.
    if (after === undefined && !isFeed) continue;
    let going = byAgent.get(agent);
    if (going === undefined) byAgent.set(agent, (going = new Map()));
    let walk = after === undefined ? undefined : going.get(after);
    if (walk === undefined || walk.endedMs > startedMs) walks.push((walk = new Walk(page)));
    else {
      going.delete(after ?? 0);
      walk.add(page);
    }
    if (hasMore === true && nextAfter !== undefined) going.set(nextAfter, walk);
  }
  return walks;
}

/** Whether one message, if it is still there, says that another of its kind should be: it comes first, and is no shorter. */
type SpeaksFor = (one: Place, other: Place) => boolean;

/** What comes first by its place, or by when it was known. */
export const speaksFor = {
  byPlace: (one: Place, other: Place) => one.rank <= other.rank && bytesAt(one) >= bytesAt(other),
  byTime: (one: Place, other: Place) => one.knownMs <= other.knownMs && bytesAt(one) >= bytesAt(other),
} as const satisfies Readonly<Record<string, SpeaksFor>>;

/** Of each kind that some pages show the messages that speak for all others. */
export function anchorsOf(pages: readonly Page[], speaks: SpeaksFor): ReadonlyMap<string, readonly Place[]> {
  const anchors = new Map<string, readonly Place[]>();
  for (const { places, after } of pages) {
    for (const place of places) {
      // What is not behind the cursor should not be there itself.
      if (place.rank < 0 || (after !== undefined && place.sequence <= after)) continue;
      const kind = kindAt(place);
      anchors.set(kind, withAnchor(anchors.get(kind) ?? [], place, speaks));
    }
  }
  return anchors;
}

/** Anchors with another, unless one of them speaks for it, and without those that it speaks for. */
export function withAnchor<T>(
  anchors: readonly T[],
  added: T,
  speaks: (one: T, other: T) => boolean,
): readonly T[] {
  if (anchors.some((each) => speaks(each, added))) return anchors;
  return [...anchors.filter((each) => !speaks(added, each)), added];
}

/** Length of a message in UTF-8. */
export function bytesAt({ item }: Place): number {
  return item.message.content?.bytes ?? 0;
}

/** The reads of a walk from the one that shows a place on, as far as `reach`. */
export function readsFrom({ pages }: Walk, place: Place, reach?: Sequence): readonly Read[] {
  const rest = pages.slice(pages.findIndex(({ places }) => places.includes(place)));
  const to = reach === undefined ? -1 : rest.findIndex((page) => page.reach >= reach);
  return (to === -1 ? rest : rest.slice(0, to + 1)).map(({ read }) => read);
}
