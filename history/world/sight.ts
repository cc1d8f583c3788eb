import type { Read } from '../operation.ts';
import type { Item } from '../seen-message.ts';
import type { Sequence } from '../sequence.ts';

/** When something was shown: from the end of the first read that showed it to the begin of the last one. */
export interface Sight {
  knownMs: number;
  knownBy: Read;
  lastMs: number;
  lastBy: Read;
}

/** A message at its place in a stream. */
export interface Place extends Sight {
  readonly sequence: Sequence;
  /** Of the message. */
  readonly id: string;
  /** As the first read showed it. */
  readonly item: Item;
  /** Number of places before it; -1 when its place or identity is in doubt. */
  rank: number;
}

/** One form in which a place was shown. */
export interface Showing extends Sight {
  readonly item: Item;
  readonly place: Place;
}

/** The sight that one read has. */
export function sightBy(read: Read): Sight {
  return { knownMs: read.endedMs, knownBy: read, lastMs: read.startedMs, lastBy: read };
}

/** Takes another read into account that showed the same. */
export function widen(sight: Sight, read: Read): void {
  if (read.endedMs < sight.knownMs) {
    sight.knownMs = read.endedMs;
    sight.knownBy = read;
  }
  if (read.startedMs > sight.lastMs) {
    sight.lastMs = read.startedMs;
    sight.lastBy = read;
  }
}
