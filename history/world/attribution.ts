import type { History } from '../operation.ts';
import { answeredIds, type Origin, type Sent } from './origin.ts';
import type { Principals } from './principals.ts';
import type { Sends } from './sent.ts';
import { isOfChannel, type Place } from './sight.ts';
import { bySequence } from '../sequence.ts';
import { push } from '../../spec/groups.ts';
import type { Stream } from './stream.ts';
import { walksOf } from './walks.ts';

/** Which places show what was sent, and which show what others made of it. */
export interface Attribution {
  /** Ids of messages that hold the marker of a send, and are by somebody else: any agent may quote what it read. */
  readonly quotations: ReadonlySet<string>;
  /** Markers that were read before anything with them was sent: the history is wrong there, and nothing is judged by them. */
  readonly contradicted: ReadonlySet<string>;
  /** Where messages come from that carry no marker, by the id that the answer to the send showed beside the text. */
  readonly told: ReadonlyMap<string, Origin>;
}

/** Tells each place where it comes from; in a partial history by markers alone. */
export function attribute(
  streams: ReadonlyMap<string, Stream>,
  sends: Sends,
  principals: Principals,
  { isPartial = false }: Pick<History['facts'], 'isPartial'>,
): Attribution {
  const doubtful = new Map<Origin, Place[]>();
  const bare = new Map<string, Place[]>();
  for (const { all } of streams.values()) {
    for (const place of all) {
      const { marker } = place.item.message.content ?? {};
      if (marker === undefined && !isPartial) push(bare, place.id, place);
      const origin = marker === undefined ? undefined : sends.ofMarker(marker);
      if (origin === undefined) continue;
      if (isAsSent(place, origin, principals)) own(place, origin, principals);
      else push(doubtful, origin, place);
    }
  }
  const quotations = new Set<string>();
  for (const [origin, places] of doubtful) {
    const ids = new Set(
      (origin.place === undefined ? likeliest(places, origin, { streams, principals }) : origin.places).map(
        ({ id }) => id,
      ),
    );
    for (const place of places) {
      if (ids.has(place.id)) own(place, origin, principals);
      else quotations.add(place.id);
    }
  }
  const told = ownTold(bare, sends, principals);
  return { quotations, contradicted: contradictedIn(sends), told };
}

/**
 * What carries no marker comes from the send whose answer showed its text beside that id. Of a text without a marker that was sent again
 * and again, nobody knows.
 */
function ownTold(
  bare: ReadonlyMap<string, readonly Place[]>,
  sends: Sends,
  principals: Principals,
): ReadonlyMap<string, Origin> {
  const told = new Map<string, Origin>();
  for (const origin of bare.size === 0 ? [] : sends.all()) {
    const isOne = origin.marker !== undefined || origin.sent.length === 1;
    for (const sent of isOne ? origin.sent : [])
      for (const place of idsBesideText(sent).flatMap((id) => bare.get(id) ?? [])) {
        if (place.origin !== undefined || place.knownMs < sent.firstMs) continue;
        own(place, origin, principals);
        told.set(place.id, origin);
      }
  }
  return told;
}

function idsBesideText({ attempts, content }: Sent): readonly string[] {
  return attempts.flatMap(({ shown }) => (shown?.content?.digest === content.digest ? (shown.id ?? []) : []));
}

function own(place: Place, origin: Origin, principals: Principals): void {
  place.origin = origin;
  origin.addPlace(place);
  principals.learnSender(place);
}

/** By the agent that sent it, and in the words that were sent. */
function isAsSent({ item: { message } }: Place, { sent }: Origin, principals: Principals): boolean {
  const author = message.author?.id;
  return sent.some(
    ({ agent, content }) =>
      content.digest === message.content?.digest && author !== undefined && author === principals.idOf(agent),
  );
}

interface Known {
  readonly streams: ReadonlyMap<string, Stream>;
  readonly principals: Principals;
}

/**
 * Where no place has the author and the text that were sent: the one that the answer to the send names, else the first in the channel
 * that has one of the two, with those that look the same. A quotation comes after what it quotes.
 */
function likeliest(places: readonly Place[], origin: Origin, known: Known): readonly Place[] {
  const answered = new Set(origin.sent.flatMap(answeredIds));
  const first = places.find(({ id }) => answered.has(id)) ?? firstOf(places, origin, known);
  return first === undefined ? [] : places.filter((place) => isAlike(place, first));
}

function firstOf(places: readonly Place[], origin: Origin, known: Known): Place | undefined {
  const candidates = places.filter((place) => mayBe(place, origin, known));
  const here = candidates.filter((place) => isWhereSent(place, origin));
  return (here.length > 0 ? here : candidates).toSorted(inOrder)[0];
}

/** By the agent that sent it, whatever it says now; by another one only if nothing before it can be what that one quotes. */
function mayBe(place: Place, origin: Origin, { streams, principals }: Known): boolean {
  const { message } = place.item;
  const authors = origin.sent.map((sent) => principals.authorOf(sent));
  const author = message.author?.id;
  if (author === undefined || authors.includes(author)) return true;
  const isText = origin.sent.some(({ content }) => content.digest === message.content?.digest);
  // Whose messages show which author is not known: the first where it was sent is as good as any. Elsewhere others may have forwarded it.
  if (authors.includes(undefined))
    return isWhereSent(place, origin) || (isText && isNamedWhereSent(place, origin));
  if (!isText || !isWhereSent(place, origin) || !origin.sent.some((sent) => mayHaveMade(sent, place)))
    return false;
  const stream = streams.get(place.knownBy.stream);
  return stream !== undefined && isReadBefore(stream, place, origin);
}

/** Whether a send may have made what stands at a place: no answer to it shows another message. */
export function mayHaveMade({ attempts }: Sent, { id }: Place): boolean {
  const ids = attempts.flatMap(({ shown }) => shown?.id ?? []);
  return ids.length === 0 || ids.includes(id);
}

/** Whether a walk shows everything from before the first send up to a place, so that what it may quote would be there. */
export function isReadBefore(stream: Stream, place: Place, { firstMs }: Origin): boolean {
  const reached = stream.reachedBefore(firstMs)?.top ?? 0;
  return walksOf(stream).some(
    ({ first: { after }, pages }) =>
      after !== undefined && after <= reached && pages.some(({ places }) => places.includes(place)),
  );
}

function isWhereSent({ knownBy: { stream } }: Place, { sent }: Origin): boolean {
  return sent.some(({ channel }) => stream === `channel ${channel}`);
}

/** Whether a feed shows it as a message of a channel that it was sent to. */
function isNamedWhereSent(place: Place, { sent }: Origin): boolean {
  return !isOfChannel(place) && sent.some(({ channel }) => channel === place.item.message.channel);
}

/** Channels first, then as they stand in their stream. */
function inOrder(one: Place, other: Place): number {
  const first = Number(isOfChannel(other)) - Number(isOfChannel(one));
  return first === 0 ? bySequence(one.sequence, other.sequence) : first;
}

function isAlike({ item, id }: Place, first: Place): boolean {
  const [one, other] = [item.message, first.item.message];
  return (
    id === first.id || (one.author?.id === other.author?.id && one.content?.digest === other.content?.digest)
  );
}

/** What was read before its first send began. */
function contradictedIn(sends: Sends): ReadonlySet<string> {
  const contradicted = new Set<string>();
  for (const origin of sends.all()) {
    const { marker, firstMs, places } = origin;
    if (marker === undefined || !places.some(({ knownMs }) => knownMs < firstMs)) continue;
    contradicted.add(marker);
    for (const place of places) place.origin = undefined;
    origin.forgetPlaces();
  }
  return contradicted;
}
