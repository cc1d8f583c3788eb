import type { Send } from '../operation.ts';
import type { SeenMessage } from '../seen-message.ts';
import { ackOf, type Place } from '../world/sight.ts';
import { Highest } from '../world/sorted.ts';
import type { Stream } from '../world/stream.ts';
import type { World } from '../world/world.ts';
import { judgeOf, type Findings, messageRoot } from '../anomalies/findings.ts';

/** A message comes after everything that had been read, or acknowledged, when its first attempt began. */
export const appends = judgeOf(['late-insert', 'nonmonotonic-send'], (findings, world) => {
  for (const stream of world.streams.values()) {
    const acks = stream.isFeed ? undefined : acksIn(stream);
    for (const place of stream.places) judgePlace(findings, { world, stream, acks }, place);
  }
});

interface Room {
  readonly world: World;
  readonly stream: Stream;
  readonly acks: Highest<Place> | undefined;
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
  findings.hold('send.acknowledged-order', place.sequence >= acked.sequence, () => ({
    ...aboutMessage(message),
    name: 'nonmonotonic-send',
    expected: `${stream.name}: message ${place.id} above ${acked.sequence}, whose send was acknowledged when it was sent`,
    actual: `it stands at ${place.sequence}`,
    witness: [world.causeOf(message), ackOf(acked), place.knownBy, acked.knownBy],
  }));
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
function acksIn({ places }: Stream): Highest<Place> {
  // What a 202 takes is still to be done.
  const acked = places.filter((place) => ![undefined, 202].includes(ackOf(place)?.status));
  return new Highest(
    acked,
    (place) => ackOf(place)?.endedMs ?? 0,
    ({ sequence }) => sequence,
  );
}
