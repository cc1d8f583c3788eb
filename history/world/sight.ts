import type { Read } from '../operation.ts';
import type { Item } from '../seen-message.ts';
import type { Sequence } from '../sequence.ts';
import type { Origin } from './sent.ts';

/** When something was shown: from the end of the first read that showed it to the begin of the last one. */
class Sight {
  knownMs: number;
  knownBy: Read;
  lastMs: number;
  lastBy: Read;

  constructor(read: Read) {
    this.knownMs = read.endedMs;
    this.knownBy = read;
    this.lastMs = read.startedMs;
    this.lastBy = read;
  }

  /** Takes another read into account that showed the same. */
  widen(read: Read): void {
    if (read.endedMs < this.knownMs) {
      this.knownMs = read.endedMs;
      this.knownBy = read;
    }
    if (read.startedMs > this.lastMs) {
      this.lastMs = read.startedMs;
      this.lastBy = read;
    }
  }
}

/** A message at its place in a stream. */
export class Place extends Sight {
  readonly sequence: Sequence;
  /** Of the message. */
  readonly id: string;
  /** As the first read showed it. */
  readonly item: Item;
  /** Number of places before it; -1 when its place or identity is in doubt. */
  rank = -1;
  /** Where it comes from by its marker; `undefined` for one of others, and where the history itself contradicts it. */
  origin: Origin | undefined = undefined;

  constructor(read: Read, item: Item, sequence: Sequence, id: string) {
    super(read);
    this.item = item;
    this.sequence = sequence;
    this.id = id;
  }
}

/** One form in which a place was shown. */
export class Showing extends Sight {
  readonly item: Item;
  readonly place: Place;

  constructor(read: Read, item: Item, place: Place) {
    super(read);
    this.item = item;
    this.place = place;
  }
}
