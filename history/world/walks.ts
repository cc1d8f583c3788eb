import type { Read } from '../operation.ts';
import type { SeenMessage } from '../seen-message.ts';
import { reachOf } from './page.ts';
import type { Sequence } from '../sequence.ts';
import type { Place } from './sight.ts';
import type { Stream } from './stream.ts';

/** Of one kind of messages, those of a walk that came first: at the lowest place, and the earliest to be known. */
export interface Anchor {
  lowest: Place;
  earliest: Place;
}

/** Pages of one agent that continue each other while there is more: together they hold all that lies between their ends. */
export interface Walk {
  readonly reads: readonly Read[];
  readonly startedMs: number;
  /** It ended because there was no more. */
  readonly isComplete: boolean;
  readonly reach: Sequence;
  /** By kind. */
  readonly anchors: ReadonlyMap<string, Anchor>;
}

/** Contents of one class are kept alike. */
export function sizeClassOf({ content }: Pick<SeenMessage, 'content'>): string {
  const bytes = content?.bytes ?? 0;
  return bytes <= 1000 ? 'small' : bytes <= 10_000 ? 'middle' : bytes <= 100_000 ? 'large' : 'huge';
}

/** The kind of a message: no retention that forgets the older first keeps an older one of a kind and forgets a younger one. */
export function kindOf(channel: string | undefined, author: string | undefined, size: string): string {
  return `${channel} ${author} ${size}`;
}

/** All walks of a stream. */
export function walksOf(stream: Stream): readonly Walk[] {
  const kinds = stream.places.map(({ item: { message } }) =>
    kindOf(message.channel, message.author?.id, sizeClassOf(message)),
  );
  const walks: OpenWalk[] = [];
  const going = new Map<string, OpenWalk>();
  const byStart = stream.reads.toSorted((one, other) => one.startedMs - other.startedMs);
  for (const read of byStart) {
    const before = read.after === undefined ? undefined : going.get(`${read.agent} ${read.after}`);
    const last = before?.reads.at(-1);
    const isNext = before !== undefined && last !== undefined && last.endedMs <= read.startedMs;
    const walk = isNext ? before : { reads: [], anchors: new Map<string, Anchor>() };
    if (isNext) going.delete(`${read.agent} ${read.after}`);
    else walks.push(walk);
    extend(walk, read, stream, kinds);
    if (read.hasMore === true && read.nextAfter !== undefined)
      going.set(`${read.agent} ${read.nextAfter}`, walk);
  }
  return walks.flatMap(finished);
}

interface OpenWalk {
  readonly reads: Read[];
  readonly anchors: Map<string, Anchor>;
}

function extend({ reads, anchors }: OpenWalk, read: Read, stream: Stream, kinds: readonly string[]): void {
  reads.push(read);
  for (const item of read.items) {
    const place = stream.placeOf(item);
    const kind = place === undefined ? undefined : kinds[place.rank];
    if (place === undefined || kind === undefined) continue;
    const anchor = anchors.get(kind);
    if (anchor === undefined) anchors.set(kind, { lowest: place, earliest: place });
    else {
      if (place.rank < anchor.lowest.rank) anchor.lowest = place;
      if (place.knownMs < anchor.earliest.knownMs) anchor.earliest = place;
    }
  }
}

function finished({ reads, anchors }: OpenWalk): readonly Walk[] {
  const [first] = reads;
  const last = reads.at(-1);
  if (first === undefined || last === undefined) return [];
  const isComplete = last.hasMore === false;
  return [{ reads, anchors, startedMs: first.startedMs, isComplete, reach: reachOf(last) }];
}

/** The pages of a walk from the one that shows a place on, as far as `reach`. */
export function pagesFrom({ reads }: Walk, stream: Stream, place: Place, reach?: Sequence): readonly Read[] {
  const from = reads.findIndex(({ items }) => items.some((item) => stream.placeOf(item) === place));
  const rest = reads.slice(from);
  const to = reach === undefined ? -1 : rest.findIndex((read) => reachOf(read) >= reach);
  return to === -1 ? rest : rest.slice(0, to + 1);
}
