import type { Read, Send } from '../operation.ts';
import { leavesOut, type Item, type TargetName } from '../seen-message.ts';
import type { Sequence } from '../sequence.ts';
import { answeredIds, answeredMessage, type Origin } from './origin.ts';

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

/** One form in which a place was shown; where there is no other, the place itself. */
export interface Showing extends Readonly<Sight> {
  readonly item: Item;
  readonly place: Place;
}

/** A message at its place in a stream. */
export class Place extends Sight implements Showing {
  readonly sequence: Sequence;
  /** Of the message. */
  readonly id: string;
  /** As the first read showed it. */
  readonly item: Item;
  /** Number of places before it; -1 when its place or identity is in doubt. */
  rank = -1;
  /** Where it comes from by its marker; `undefined` for one of others, and where the history itself contradicts it. */
  origin: Origin | undefined = undefined;
  /** What followed it on the last page that showed it: most pages show what others showed. */
  follower: Place | undefined = undefined;
  /** Another place of the same message. */
  readonly other: Place | undefined;
  #forms: Map<Item, Form> | undefined = undefined;

  constructor(
    read: Read,
    item: Item & { readonly sequence: Sequence },
    id: string,
    other: Place | undefined,
  ) {
    super(read);
    this.item = item;
    this.sequence = item.sequence;
    this.id = id;
    this.other = other;
  }

  get place(): Place {
    return this;
  }

  /** Takes a read into account that shows the place as this item. */
  show(item: Item, read: Read): void {
    if (item !== this.item || this.#forms !== undefined) this.#formOf(item, read).widen(read);
    this.widen(read);
  }

  /** Each form in which it was shown. */
  get forms(): Iterable<Showing> {
    return this.#forms?.values() ?? [this];
  }

  /** Whether it was shown in one form alone. */
  get isConstant(): boolean {
    return this.#forms === undefined;
  }

  #formOf(item: Item, read: Read): Form {
    // Up to now its one form was shown by whatever showed the place.
    this.#forms ??= new Map([[this.item, new Form(this, this.item, this)]]);
    let form = this.#forms.get(item);
    if (form === undefined) this.#forms.set(item, (form = new Form(read, item, this)));
    return form;
  }
}

/**
 * The acknowledgement of what stands at a place. Of several sends with one content nobody knows which one stands where; of several
 * attempts with one key that were stored each on its own, as after a key that is forgotten, only an answer with the id tells.
 */
export function ackOf({ origin, id }: Place): Send | undefined {
  if (origin?.sent.length !== 1) return undefined;
  const [sent] = origin.sent;
  if (sent === undefined || sent.attempts.length === 1) return sent?.ack;
  const accepted = sent.attempts.filter(({ outcome }) => outcome === 'accepted');
  const named = accepted.find((attempt) => answeredMessage(attempt)?.id === id);
  if (named !== undefined) return named;
  const isOne = origin.places.every((place) => place.id === id);
  return isOne && answeredIds({ attempts: accepted }).length === 0 ? sent.ack : undefined;
}

/** Whom a message names: as it is shown, else as it was sent; `undefined` where nobody knows. */
export function targetsAt(place: Place): readonly TargetName[] | undefined {
  const { message } = place.item;
  return leavesOut(message, 'targets') ? ackOf(place)?.targets : message.targets;
}

/** The files that a message has: as they are shown, else as they were sent; one that shows no list may have none. */
export function filesAt(place: Place): readonly string[] {
  const { message } = place.item;
  return leavesOut(message, 'files') ? (ackOf(place)?.files ?? []) : message.files;
}

/** What shows whom a message names, and its files, besides what showed the message. */
export function besidesShownBy(place: Place): readonly Send[] {
  const { message } = place.item;
  const send = leavesOut(message, 'targets') || leavesOut(message, 'files') ? ackOf(place) : undefined;
  const isNeeded = leavesOut(message, 'targets') || (send?.files ?? []).length > 0;
  return send === undefined || !isNeeded ? [] : [send];
}

/** Whether a read of a channel showed it first, and no listing of mentions. */
export function isOfChannel({ knownBy }: Showing): boolean {
  return knownBy.call === 'channel-read';
}

/** One of several forms of a place. */
class Form extends Sight implements Showing {
  readonly item: Item;
  readonly place: Place;

  constructor(first: Read | Sight, item: Item, place: Place) {
    super('kind' in first ? first : first.knownBy);
    this.item = item;
    this.place = place;
    if (!('kind' in first)) this.widen(first.lastBy);
  }
}
