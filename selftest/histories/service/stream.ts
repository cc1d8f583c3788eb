import type { SeenMessage } from '../../../history/seen-message.ts';
import type { Sequence } from '../../../history/sequence.ts';
import type { Retention } from '../choices/choices.ts';

/** A message as the service keeps it. */
export interface Stored {
  readonly seen: SeenMessage;
  readonly bytes: number;
  readonly channel: string;
  readonly authorId: string | undefined;
}

/** A number of a stream, and what stands there; nothing in a feed where the event is not for its reader. */
export interface Place {
  sequence: Sequence;
  readonly stored: Stored | undefined;
  readonly visibleMs: number;
  /** When retention, or a mutant, takes it away. */
  goneMs: number;
  /** A place whose going takes this one along. */
  readonly follows?: Place | undefined;
}

/** A channel, or the feed of an agent: places by rising number. */
export class Stream {
  readonly name: string;
  readonly places: Place[] = [];
  readonly #retention: Retention;

  constructor(name: string, retention: Retention) {
    this.name = name;
    this.#retention = retention;
  }

  /** From when on a place added now can show, at the earliest: nothing shows before what has a lower number. */
  visibleFrom(atMs: number): number {
    return Math.max(atMs, this.places.at(-1)?.visibleMs ?? 0);
  }

  /** Adds a place at the end, which may push out older ones. */
  append(place: Place): void {
    this.places.push(place);
    if (place.stored !== undefined) this.#trim(place);
  }

  #trim(place: Place): void {
    const retention = this.#retention;
    if (retention.kind === 'all') return;
    const { kind, than } = retention;
    const bytesOf = ({ stored }: Place): number => stored?.bytes ?? 0;
    if (kind === 'younger') {
      if (bytesOf(place) > (retention.ifOver ?? 0))
        place.goneMs = Math.min(place.goneMs, place.visibleMs + than);
      return;
    }
    const author = place.stored?.authorId;
    const kept = this.places.filter(
      ({ stored, goneMs }) =>
        stored !== undefined &&
        goneMs === Number.POSITIVE_INFINITY &&
        (kind !== 'newest-of-author' || stored.authorId === author),
    );
    if (kind === 'shortest') kept.sort((one, other) => bytesOf(other) - bytesOf(one));
    const leastMs = retention.kind === 'shortest' ? retention.leastMs : 0;
    for (const old of kept.slice(0, Math.max(0, kept.length - than)))
      old.goneMs = Math.max(place.visibleMs, old.visibleMs + leastMs);
  }
}
