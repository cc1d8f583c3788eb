import { attribute, isReadBefore, mayHaveMade, type Attribution } from './attribution.ts';
import type { Change, History, Read, Report, Send } from '../operation.ts';
import type { SeenMessage } from '../seen-message.ts';
import { isKnownCredential, isOneAgent, Principals } from './principals.ts';
import { Sends } from './sent.ts';
import { mayBeStored, type Origin } from './origin.ts';
import type { Place } from './sight.ts';
import { remembered, push } from '../../spec/groups.ts';
import { Stream } from './stream.ts';

/** What a history makes known, from acknowledgements and answers alone. Made once, read by every judge. */
export interface World extends Attribution {
  readonly history: History;
  /** How long an accepted write may take to become visible, in ms. */
  readonly settleMs: number;
  /** Everything that was read, by the name of the stream. */
  readonly streams: ReadonlyMap<string, Stream>;
  readonly sends: Sends;
  readonly principals: Principals;
  /** What the operator did, by its end; what it may have done counts. */
  readonly changes: readonly Change[];
  /** Reports of retrievals by channel, whatever became of them. */
  readonly reportsOf: ReadonlyMap<string, readonly Report[]>;
  /** Where a message comes from by its marker, or by the id that the answer to its send showed beside its text; `undefined` for one of others, also if it quotes one of ours, and where the history itself contradicts it. */
  readonly originOf: (message: SeenMessage) => Origin | undefined;
  /**
   * Where a place comes from: by its marker, or by that id, else by its content where its channel had not been read that far before the send, and no
   * more of that content came to lie there than was sent; by another author only if one that was accepted may have made it. Where others may
   * have sent the same, by the id that the answer to the send shows.
   */
  readonly originAt: (stream: Stream, place: Place) => Origin | undefined;
  /** The messages without a marker that may come from each origin: of more than were sent, others have sent some. */
  readonly unmarked: ReadonlyMap<Origin, UnmarkedCounts>;
  /** The accepted send that a message comes from, to blame. */
  readonly causeOf: (message: SeenMessage) => Send | undefined;
}

/** How many of them are by the agent that sent that content, and by others: those repeat it, if there is one of the former. */
interface UnmarkedCounts {
  readonly bySender: number;
  readonly byOthers: number;
}

interface Known {
  readonly sends: Sends;
  readonly senders: Senders;
}

const feedPrefix = 'feed ';

/** What is shown to who has no credential that is known, and is taken for one agent and then for another, is no one feed. */
function isOfOneReader(stream: string, reads: readonly Read[]): boolean {
  if (!stream.startsWith(feedPrefix) || isKnownCredential(stream.slice(feedPrefix.length))) return true;
  return new Set(reads.flatMap(({ agentId }) => agentId ?? [])).size <= 1;
}

/** The agent whose feed a stream is, as all answers name it; a key of a workspace may act as several. */
function readerOf(stream: string, reads: readonly Read[]): string | undefined {
  if (!stream.startsWith(feedPrefix) || !isOneAgent(stream.slice(feedPrefix.length))) return undefined;
  const [reader, ...others] = new Set(reads.map(({ agentId }) => agentId));
  return others.length === 0 ? reader : undefined;
}

/** Learns what a history makes known. */
export function worldOf(history: History): World {
  const reads = new Map<string, Read[]>();
  const refused = new Map<string, Read[]>();
  const reportsOf = new Map<string, Report[]>();
  const changes: Change[] = [];
  for (const operation of history.operations) {
    const { outcome } = operation;
    if (operation.kind === 'read' && operation.isBaseline) {
      if (outcome === 'accepted') push(reads, operation.stream, operation);
      if (outcome === 'refused') push(refused, operation.stream, operation);
    }
    // How a report is refused is not stated: one of any outcome may have been recorded.
    if (operation.kind === 'report') push(reportsOf, operation.channel, operation);
    if (operation.kind === 'change' && outcome !== 'refused') changes.push(operation);
  }
  const names = new Set(
    [...reads.keys(), ...refused.keys()].filter((name) => isOfOneReader(name, reads.get(name) ?? [])),
  );
  const streams = new Map(
    [...names].map((name) => {
      const [own, others] = [reads.get(name) ?? [], refused.get(name) ?? []];
      return [name, new Stream(name, own, others, readerOf(name, own))];
    }),
  );
  const sends = new Sends(history);
  const principals = new Principals(history, streams.values());
  const attribution = attribute(streams, sends, principals, history.facts);
  const { contradicted, quotations, told } = attribution;
  const senders = new Senders(principals);
  const known: Known = { sends, senders };
  const isPartial = history.facts.isPartial === true;
  const unmarked: World['unmarked'] = isPartial ? new Map() : countUnmarked(known, streams.values());
  const originOf = ({ id, content }: SeenMessage): Origin | undefined => {
    const marker = content?.marker;
    const origin = marker === undefined ? told.get(id ?? '') : sends.ofMarker(marker);
    return contradicted.has(origin?.marker ?? '') || quotations.has(id ?? '') ? undefined : origin;
  };
  return {
    history,
    settleMs: history.facts.settleMs,
    streams,
    sends,
    principals,
    changes,
    reportsOf,
    originOf,
    originAt: (stream, place) => {
      if (place.origin === undefined && isPartial) return sends.ofShown(place.id);
      if (place.origin !== undefined || unmarked.size === 0) return place.origin;
      const origin = unmarkedOrigin(sends, stream, place);
      const counts = origin && unmarked.get(origin);
      if (origin === undefined || counts === undefined) return undefined;
      const isOurs =
        senders.mayHaveWritten(place, origin) ||
        (counts.bySender === 0 &&
          origin.sent.some((sent) => sent.ack !== undefined && mayHaveMade(sent, place)) &&
          isReadBefore(stream, place, origin));
      return isOurs && (counts.bySender || counts.byOthers) <= senders.mostOf(origin) ? origin : undefined;
    },
    unmarked,
    causeOf: (message) =>
      causeIn(originOf(message) ?? (isPartial ? sends.ofShown(message.id ?? '') : undefined), message),
    ...attribution,
  };
}

/** How many messages without a marker may come from each origin. */
function countUnmarked({ sends, senders }: Known, streams: Iterable<Stream>): World['unmarked'] {
  const counts = new Map<Origin, UnmarkedCounts>();
  if (!sends.hasUnmarked) return counts;
  for (const stream of streams)
    for (const place of stream.all) {
      const origin = unmarkedOrigin(sends, stream, place);
      if (origin === undefined) continue;
      const { bySender = 0, byOthers = 0 } = counts.get(origin) ?? {};
      const isOwn = senders.mayHaveWritten(place, origin);
      counts.set(origin, { bySender: bySender + Number(isOwn), byOthers: byOthers + Number(!isOwn) });
    }
  return counts;
}

/** Who sent each content, and how often: of one that was sent a hundred thousand times it is asked as often. */
class Senders {
  readonly #principals: Principals;
  readonly #authors = new Map<Origin, ReadonlySet<string | undefined>>();
  readonly #most = new Map<Origin, number>();

  constructor(principals: Principals) {
    this.#principals = principals;
  }

  /** Whether an agent that sent it may have written what stands at a place. */
  mayHaveWritten({ item }: Place, origin: Origin): boolean {
    const authors = remembered(
      this.#authors,
      origin,
      () => new Set(origin.sent.map((each) => this.#principals.authorOf(each))),
    );
    const author = item.message.author?.id;
    return author === undefined || authors.has(undefined) || authors.has(author);
  }

  /** As many messages as sends; refused ones leave none, unless there is no other. */
  mostOf(origin: Origin): number {
    return remembered(this.#most, origin, () => origin.sent.filter(mayBeStored).length || origin.sent.length);
  }
}

/**
 * A content without a marker may have been sent by others or long before, unless its place came later than the send: it lies beyond all
 * that was read before, and where the stream once ended, since what was read alone may have been its middle.
 */
function unmarkedOrigin(sends: Sends, stream: Stream, place: Place): Origin | undefined {
  const { content } = place.item.message;
  if (stream.channel === undefined || content === undefined || content.marker !== undefined) return undefined;
  const origin = sends.ofContent(stream.channel, content.digest);
  if (origin === undefined || place.knownMs < origin.firstMs) return undefined;
  const reached = stream.reachedBefore(origin.firstMs);
  const ended = stream.endedBefore(origin.firstMs);
  if (reached === undefined || ended === undefined) return undefined;
  return place.sequence > reached.top && place.sequence > ended.reach ? origin : undefined;
}

/** The send to blame for a message: one of its own content that was accepted, else any attempt. */
function causeIn(origin: Origin | undefined, { content }: SeenMessage): Send | undefined {
  if (origin === undefined) return undefined;
  const same = origin.sent.filter((sent) => sent.content.digest === content?.digest);
  const sents = same.length > 0 ? same : origin.sent;
  return (sents.find(({ ack }) => ack !== undefined) ?? sents[0])?.ack ?? sents[0]?.attempts[0];
}
