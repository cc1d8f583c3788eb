import type { Send } from '../operation.ts';
import type { SeenMessage } from '../seen-message.ts';
import type { Sequence } from '../sequence.ts';
import type { Place } from '../world/sight.ts';
import { countWhile } from '../world/sorted.ts';
import type { Stream } from '../world/stream.ts';
import type { World } from '../world/world.ts';
import { clausesOf } from '../anomalies/catalogue.ts';
import { Findings, messageRoot } from '../anomalies/findings.ts';
import type { Judge } from './judge.ts';

/** A message comes after everything that had been read, or acknowledged, when its first attempt began. */
export const appends: Judge = {
  name: 'appends',
  clauses: clausesOf('late-insert', 'nonmonotonic-send'),
  judge: (world: World) => {
    const findings = new Findings();
    for (const stream of world.streams.values()) {
      const acks = stream.isFeed ? undefined : new Acks(stream);
      for (const place of stream.places) judgePlace(findings, { world, stream, acks }, place);
    }
    return findings.judged;
  },
};

interface Room {
  readonly world: World;
  readonly stream: Stream;
  readonly acks: Acks | undefined;
}

function judgePlace(findings: Findings, { world, stream, acks }: Room, place: Place): void {
  const { message } = place.item;
  const { origin } = place;
  if (origin === undefined) return;
  const clause = stream.isFeed ? 'mentions.cursor-never-skips' : 'send.appends';
  const reached = stream.reachedBefore(origin.firstMs);
  if (reached !== undefined && place.sequence <= reached.sequence) {
    findings.add({
      ...aboutMessage(message),
      name: 'late-insert',
      clause,
      expected: `${stream.name}: message ${place.id} above ${reached.sequence}, which had been read when it was sent`,
      actual: `it stands at ${place.sequence}`,
      witness: [world.causeOf(message), ...attemptBefore(place), reached.by, place.knownBy],
    });
    return;
  }
  if (reached !== undefined) findings.count(clause);
  const acked = acks?.before(origin.firstMs);
  if (acked === undefined) return;
  if (place.sequence >= acked.sequence) findings.count('send.acknowledged-order');
  else
    findings.add({
      ...aboutMessage(message),
      name: 'nonmonotonic-send',
      clause: 'send.acknowledged-order',
      expected: `${stream.name}: message ${place.id} above ${acked.sequence}, whose send was acknowledged when it was sent`,
      actual: `it stands at ${place.sequence}`,
      witness: [world.causeOf(message), acked.ack, place.knownBy, acked.place.knownBy],
    });
}

function aboutMessage(message: SeenMessage) {
  const root = messageRoot(message);
  return { root, dependsOn: [root], breaks: [root] };
}

/** The first attempt, where it is another one than the accepted one. */
function attemptBefore({ origin }: Place): readonly Send[] {
  const first = origin?.sent
    .flatMap(({ attempts }) => attempts)
    .find(({ startedMs }) => startedMs === origin.firstMs);
  return first === undefined ? [] : [first];
}

/** The acknowledged message of the highest place, up to some time. */
interface Acked {
  readonly sequence: Sequence;
  readonly ack: Send;
  readonly place: Place;
}

/** Acknowledgements of messages whose places are known, by time. */
class Acks {
  readonly #times: readonly number[];
  readonly #highest: readonly Acked[];

  constructor({ places }: Stream) {
    const acked = places.flatMap((place): readonly Acked[] => {
      const sent = place.origin?.sent;
      // Of several sends with one content nobody knows which one stands where.
      const ack = sent?.length === 1 ? sent[0]?.ack : undefined;
      return ack === undefined ? [] : [{ sequence: place.sequence, ack, place }];
    });
    acked.sort((one, other) => one.ack.endedMs - other.ack.endedMs);
    let highest: Acked | undefined;
    this.#times = acked.map(({ ack }) => ack.endedMs);
    this.#highest = acked.map((each) => {
      if (highest === undefined || each.sequence > highest.sequence) highest = each;
      return highest;
    });
  }

  /** The highest one acknowledged before a time. */
  before(ms: number): Acked | undefined {
    return this.#highest[countWhile(this.#times.length, (rank) => (this.#times[rank] ?? 0) < ms) - 1];
  }
}
