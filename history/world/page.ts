import type { Read } from '../operation.ts';
import type { SeenMessage } from '../seen-message.ts';
import type { Sequence } from '../sequence.ts';
import type { Place } from './sight.ts';

/** The `limit` of a listing of mentions that was asked for without one. */
export const defaultLimit = 50;

/** Bytes of contents from which on a byte cap may be what ends a page: hardly a server has a smaller one. */
const leastByteCap = 65_536;

/** One accepted read, and where what it shows stands. */
export class Page {
  readonly read: Read;
  /** Of the read, kept here as well: judges go through a million pages one after another, and the reads lie anywhere in memory. */
  readonly agent: string;
  readonly after: Sequence | undefined;
  readonly nextAfter: Sequence | undefined;
  readonly hasMore: boolean | undefined;
  readonly startedMs: number;
  readonly endedMs: number;
  /** How many items it has. */
  readonly size: number;
  /** Of the items that have a sequence and an id, in their order. */
  readonly places: readonly Place[];
  /** The sequence of the first item that has one. */
  readonly first: Sequence | undefined;
  /** The highest sequence on it. */
  readonly top: Sequence | undefined;
  /** How far it reaches: its highest sequence, its next cursor or the one it was asked with, whichever lies furthest. */
  readonly reach: Sequence;
  /** Each item has a sequence, above the one before it. */
  readonly isRising: boolean;
  /** The first rank that it answers for: after its cursor, or that of its first item; `undefined` without either. Set by its stream. */
  begin: number | undefined = undefined;
  /** How many places of its stream lie at or below its end. */
  end = 0;

  constructor(read: Read, places: readonly Place[]) {
    const { items, nextAfter, after } = read;
    this.agent = read.agent;
    this.after = after;
    this.nextAfter = nextAfter;
    this.hasMore = read.hasMore;
    this.startedMs = read.startedMs;
    this.endedMs = read.endedMs;
    this.size = items.length;
    let first: Sequence | undefined;
    let top: Sequence | undefined;
    let before: Sequence | undefined;
    let isRising = true;
    // Mostly each item has its place, which has just been looked at.
    for (const { sequence } of places.length === items.length ? places : items) {
      if (sequence === undefined) {
        isRising = false;
        continue;
      }
      first ??= sequence;
      if (before !== undefined && sequence <= before) isRising = false;
      if (top === undefined || sequence > top) top = sequence;
      before = sequence;
    }
    let reach: Sequence = top ?? 0;
    if (nextAfter !== undefined && nextAfter > reach) reach = nextAfter;
    if (after !== undefined && after > reach) reach = after;
    this.read = read;
    this.places = places;
    this.first = first;
    this.top = top;
    this.reach = reach;
    this.isRising = isRising;
  }

  /** Whether its first item lies beyond its cursor: what lies before is none of those between its begin and its end. */
  get isExclusive(): boolean {
    return (this.first ?? Infinity) > (this.after ?? 0);
  }

  /** Whether it may show fewer messages than are known to lie between its begin and its end. */
  get hasGaps(): boolean {
    return this.begin !== undefined && (this.end - this.begin > this.places.length || !this.isExclusive);
  }
}

/** Whether a byte cap may be why a page ends before a message: it has room for one more, and with that its contents are many bytes. */
export function isCutByBytesBefore({ read, top = 0 }: Page, { sequence, item }: Place): boolean {
  return sequence > top && endedBy(read, bytesOf(item.message)) === 'bytes';
}

/** What may be why a page ends before a message of so many bytes: its limit, or a byte cap. */
export function endedBy({ call, limit, items }: Read, bytesBeyond: number): 'limit' | 'bytes' | undefined {
  const most = limit ?? (call === 'mentions' ? defaultLimit : Number.POSITIVE_INFINITY);
  if (items.length >= most) return 'limit';
  const bytes = items.reduce((sum, { message }) => sum + bytesOf(message), bytesBeyond);
  return bytes >= leastByteCap ? 'bytes' : undefined;
}

/** The bytes of the text of a message, as far as they are known. */
export function bytesOf({ content }: SeenMessage): number {
  return content?.bytes ?? 0;
}

/** A read as a report names it. */
export function inWords({ call, after, limit, wait, stream }: Read): string {
  const what = call === 'mentions' ? `mentions of ${stream.slice('feed '.length)}` : stream;
  const query = [
    after === undefined ? 'without a cursor' : `after ${after}`,
    ...(limit === undefined ? [] : [`limit ${limit}`]),
    ...(wait === undefined ? [] : [`wait ${wait}`]),
  ];
  return `${what}, ${query.join(', ')}`;
}
