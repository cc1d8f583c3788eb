import type { Send } from '../operation.ts';
import type { SeenMessage } from '../seen-message.ts';
import { ackOf, type Place } from '../world/sight.ts';
import { byTime, countWhile } from '../world/sorted.ts';
import type { Stream } from '../world/stream.ts';
import type { World } from '../world/world.ts';
import { clausesOf } from '../anomalies/catalogue.ts';
import { Findings, messageRoot } from '../anomalies/findings.ts';
import type { Judge } from '../anomalies/judge.ts';

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
  if (reached !== undefined && place.sequence <= reached.top) {
    findings.add({
      ...aboutMessage(message),
      name: 'late-insert',
      clause,
      expected: `${stream.name}: message ${place.id} above ${reached.top}, which had been read when it was sent`,
      actual: `it stands at ${place.sequence}`,
      witness: [world.causeOf(message), ...attemptBefore(place), reached.read, place.knownBy],
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
      witness: [world.causeOf(message), ackOf(acked), place.knownBy, acked.knownBy],
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

/** Messages whose places are known, by the times of their acknowledgements. */
class Acks {
  readonly #ends: Float64Array;
  /** Of the first of them, of the first two, and so on, the one at the highest place. */
  readonly #highest: readonly Place[];

  constructor({ places }: Stream) {
    const acked = byTime(
      // What a 202 takes is still to be done.
      places.filter((place) => ![undefined, 202].includes(ackOf(place)?.status)),
      endOf,
    );
    let highest: Place | undefined;
    this.#ends = Float64Array.from(acked, endOf);
    this.#highest = acked.map((place) => {
      if (highest === undefined || place.sequence > highest.sequence) highest = place;
      return highest;
    });
  }

  /** The highest one acknowledged before a time. */
  before(ms: number): Place | undefined {
    return this.#highest[countWhile(this.#ends.length, (rank) => (this.#ends[rank] ?? 0) < ms) - 1];
  }
}

function endOf(place: Place): number {
  return ackOf(place)?.endedMs ?? 0;
}
