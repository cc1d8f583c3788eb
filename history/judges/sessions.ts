import type { Operation, Read } from '../operation.ts';
import type { Sequence } from '../sequence.ts';
import { inWords, reachOf } from '../world/page.ts';
import type { Place } from '../world/sight.ts';
import { push } from '../world/sorted.ts';
import type { Stream } from '../world/stream.ts';
import type { World } from '../world/world.ts';
import { clausesOf } from '../anomalies/catalogue.ts';
import { Findings, messageRoot, pageRoot } from '../anomalies/findings.ts';
import type { Judge } from './judge.ts';

/** What one agent may expect of its own operations: a complete read holds what it sent, and what it had read. */
export const sessions: Judge = {
  name: 'sessions',
  clauses: clausesOf('read-your-writes', 'monotonic-reads'),
  judge: (world: World) => {
    const findings = new Findings();
    for (const stream of world.streams.values()) {
      for (const own of ownOf(stream, world)) judgeAgent(findings, stream, own);
    }
    return findings.judged;
  },
};

/** At some time an agent knew of a place: it sent the message, or read it. */
interface Event {
  readonly ms: number;
  readonly sequence: Sequence;
  readonly by: Operation;
  readonly place: Place | undefined;
}

/** What one agent read of a stream, and the acknowledgements of what it sent there. */
interface Own {
  readonly reads: Read[];
  readonly acks: readonly Event[];
}

function ownOf(stream: Stream, world: World): readonly Own[] {
  const reads = new Map<string, Read[]>();
  for (const read of stream.reads) push(reads, read.agent, read);
  const acks = new Map<string, Event[]>();
  if (!stream.isFeed)
    for (const place of stream.places) {
      const sent = world.originOf(place.item.message)?.sent;
      const [only] = sent ?? [];
      if (sent?.length !== 1 || only?.ack === undefined) continue;
      push(acks, only.agent, { ms: only.ack.endedMs, sequence: place.sequence, by: only.ack, place });
    }
  return [...reads].map(([agent, own]) => ({ reads: own, acks: acks.get(agent) ?? [] }));
}

function judgeAgent(findings: Findings, stream: Stream, { reads, acks }: Own): void {
  const { isFeed } = stream;
  const written = highestBefore(acks);
  const readEvents = reads.flatMap((read): readonly Event[] => {
    const top = topPlace(stream, read);
    return top === undefined ? [] : [{ ms: read.endedMs, sequence: top.sequence, by: read, place: top }];
  });
  const seen = highestBefore(readEvents);
  const byStart = reads
    .filter(({ hasMore, after }) => hasMore === false && (after !== undefined || isFeed))
    .toSorted((one, other) => one.startedMs - other.startedMs);
  for (const read of byStart) {
    const reach = reachOf(read);
    const about = { root: pageRoot(read), dependsOn: [pageRoot(read)] };
    const own = written(read.startedMs);
    if (own !== undefined && own.sequence <= reach) findings.count('channel-read.reads-own-writes');
    if (own?.place !== undefined && own.sequence > reach && own.place.lastMs > read.endedMs)
      findings.add({
        ...about,
        name: 'read-your-writes',
        clause: 'channel-read.reads-own-writes',
        expected: `${inWords(read)}: the own message ${own.place.id} at ${own.sequence}, which had been acknowledged`,
        actual: `it denies more, and ends at ${reach}`,
        witness: [own.by, read, own.place.lastBy],
        dependsOn: [pageRoot(read), messageRoot(own.place.item.message)],
      });
    const before = seen(read.startedMs);
    const clause = isFeed ? 'mentions.recency' : 'channel-read.reads-are-monotonic';
    if (before !== undefined && before.sequence <= reach) findings.count(clause);
    if (before?.place !== undefined && before.sequence > reach && before.place.lastMs > read.endedMs)
      findings.add({
        ...about,
        name: 'monotonic-reads',
        clause,
        expected: `${inWords(read)}: message ${before.place.id} at ${before.sequence}, which the reader had read`,
        actual: `it denies more, and ends at ${reach}`,
        witness: [read, before.by, before.place.lastBy],
      });
  }
}

function topPlace(stream: Stream, { items }: Read): Place | undefined {
  let top: Place | undefined;
  for (const item of items) {
    const place = stream.placeOf(item);
    if (place !== undefined && place.rank >= 0 && (top === undefined || place.sequence > top.sequence))
      top = place;
  }
  return top;
}

/** For times that rise: the event of the highest sequence before them. */
function highestBefore(events: readonly Event[]): (ms: number) => Event | undefined {
  const byTime = events.toSorted((one, other) => one.ms - other.ms);
  let next = 0;
  let highest: Event | undefined;
  return (ms) => {
    for (let event = byTime[next]; event !== undefined && event.ms < ms; event = byTime[next]) {
      if (highest === undefined || event.sequence > highest.sequence) highest = event;
      next += 1;
    }
    return highest;
  };
}
