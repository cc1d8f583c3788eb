import type { Operation } from '../operation.ts';
import type { Sequence } from '../sequence.ts';
import { inWords } from '../world/page.ts';
import type { Page } from '../world/page.ts';
import type { Place } from '../world/sight.ts';
import { byTime, push } from '../world/sorted.ts';
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
      for (const own of ownOf(stream)) judgeAgent(findings, stream, own);
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
  readonly pages: readonly Page[];
  readonly acks: readonly Event[];
}

function ownOf(stream: Stream): readonly Own[] {
  const pages = new Map<string, Page[]>();
  for (const page of stream.pages) push(pages, page.read.agent, page);
  const acks = new Map<string, Event[]>();
  if (!stream.isFeed)
    for (const place of stream.places) {
      const sent = place.origin?.sent;
      const [only] = sent ?? [];
      if (sent?.length !== 1 || only?.ack === undefined) continue;
      push(acks, only.agent, { ms: only.ack.endedMs, sequence: place.sequence, by: only.ack, place });
    }
  return [...pages].map(([agent, own]) => ({ pages: own, acks: acks.get(agent) ?? [] }));
}

function judgeAgent(findings: Findings, stream: Stream, { pages, acks }: Own): void {
  const { isFeed } = stream;
  const written = highestBefore(acks);
  const seen = highestBefore(pages.filter(({ places }) => places.length > 0).map(highestOf));
  const complete = pages.filter(
    ({ read: { hasMore, after } }) => hasMore === false && (after !== undefined || isFeed),
  );
  for (const { read, reach } of byTime(complete, (page) => page.read.startedMs)) {
    const own = written(read.startedMs);
    if (own !== undefined && own.sequence <= reach) findings.count('channel-read.reads-own-writes');
    if (own?.place !== undefined && own.sequence > reach && own.place.lastMs > read.endedMs)
      findings.add({
        root: pageRoot(read),
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
        root: pageRoot(read),
        dependsOn: [pageRoot(read)],
        name: 'monotonic-reads',
        clause,
        expected: `${inWords(read)}: message ${before.place.id} at ${before.sequence}, which the reader had read`,
        actual: `it denies more, and ends at ${reach}`,
        witness: [read, before.by, before.place.lastBy],
      });
  }
}

/** What a page showed last, in the order of its stream. */
function highestOf({ read, top, places }: Page): Event {
  const last = places.at(-1);
  const place = last?.sequence === top ? last : places.find(({ sequence }) => sequence === top);
  return { ms: read.endedMs, sequence: top ?? 0, by: read, place };
}

/** For times that rise: the event of the highest sequence before them. */
function highestBefore(events: readonly Event[]): (ms: number) => Event | undefined {
  const inOrder = byTime(events, ({ ms }) => ms);
  let next = 0;
  let highest: Event | undefined;
  return (ms) => {
    for (let event = inOrder[next]; event !== undefined && event.ms < ms; event = inOrder[next]) {
      if (highest === undefined || event.sequence > highest.sequence) highest = event;
      next += 1;
    }
    return highest;
  };
}
