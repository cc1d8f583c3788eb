import type { Read } from '../operation.ts';
import type { Sequence } from '../sequence.ts';
import { mayHaveLeft } from '../world/changes.ts';
import { inWords, type Page } from '../world/page.ts';
import { ackOf, type Place } from '../world/sight.ts';
import { push } from '../../spec/groups.ts';
import { Highest } from '../world/sorted.ts';
import { isOn, isShownElsewhere, type Stream } from '../world/stream.ts';
import type { World } from '../world/world.ts';
import { mayBeHidden, mustMatch } from './coverage.ts';
import { judgeOf, type Findings, messageRoot, pageRoot } from '../anomalies/findings.ts';

/** What one agent may expect of its own operations: a complete read holds what it sent, and what it had read. */
export const sessions = judgeOf(['read-your-writes', 'monotonic-reads'], (findings, world) => {
  for (const stream of world.streams.values()) {
    for (const own of ownOf(stream)) judgeAgent(findings, world, stream, own);
  }
});

/** What one agent read of a stream, and what it sent there that was acknowledged. */
interface Own {
  /** By their ends, and those that deny more by their begins. */
  readonly pages: readonly Page[];
  readonly complete: readonly Page[];
  readonly sent: readonly Place[];
}

function ownOf(stream: Stream): readonly Own[] {
  const pages = new Map<string, Page[]>();
  const complete = new Map<string, Page[]>();
  for (const page of stream.pages) if (page.top !== undefined) push(pages, page.agent, page);
  for (const page of stream.pagesByStart)
    if (page.hasMore === false && (page.after !== undefined || stream.isFeed))
      push(complete, page.agent, page);
  const sent = new Map<string, Place[]>();
  if (!stream.isFeed)
    for (const place of stream.places) {
      const ack = ackOf(place);
      // What a 202 takes is still to be done.
      if (ack !== undefined && ack.status !== 202) push(sent, ack.agent, place);
    }
  return [...complete].map(([agent, own]) => ({
    pages: pages.get(agent) ?? [],
    complete: own,
    sent: sent.get(agent) ?? [],
  }));
}

/** Whether a read could show what has a number: not what its cursor leaves behind. */
function isBeyondCursor({ after }: Read, sequence: Sequence): boolean {
  return after === undefined || sequence > after;
}

function judgeAgent(findings: Findings, world: World, stream: Stream, { pages, complete, sent }: Own): void {
  const { isFeed } = stream;
  const { settleMs } = world;
  const written = new Highest(
    sent,
    (place) => ackOf(place)?.endedMs ?? 0,
    ({ sequence }) => sequence,
  );
  const seen = new Highest(
    pages,
    ({ endedMs }) => endedMs,
    ({ top }) => top ?? 0,
  );
  for (const page of complete) {
    const { read, reach, startedMs, endedMs } = page;
    const own = written.before(startedMs);
    if (own !== undefined && isBeyondCursor(read, own.sequence) && isOn(page, own))
      findings.count('channel-read.reads-own-writes');
    const isShownLater = own !== undefined && own.sequence > reach && own.lastMs > endedMs + settleMs;
    const fromMs = (own && ackOf(own))?.startedMs ?? startedMs;
    if (isShownLater && !mayHaveLeft(world, world.principals.agentOf(read.agent), { fromMs, toMs: endedMs }))
      findings.add({
        root: pageRoot(read),
        name: 'read-your-writes',
        clause: 'channel-read.reads-own-writes',
        expected: `${inWords(read)}: the own message ${own.id} at ${own.sequence}, which had been acknowledged`,
        actual: `it denies more, and ends at ${reach}`,
        witness: [ackOf(own), read, own.lastBy],
        dependsOn: [pageRoot(read), messageRoot(own.item.message)],
      });
    const before = seen.before(startedMs);
    if (before?.top === undefined) continue;
    const clause = isFeed ? 'mentions.recency' : 'channel-read.reads-are-monotonic';
    const highest = highestOf(before);
    if (before.top <= reach) {
      if (isBeyondCursor(read, before.top) && highest !== undefined && isOn(page, highest))
        findings.count(clause);
      continue;
    }
    if (
      highest !== undefined &&
      highest.lastMs > endedMs + settleMs &&
      !isShownElsewhere(page, highest, stream) &&
      mustMatch(stream, highest, read, world) &&
      !mayBeHidden({ world, stream, page, place: highest })
    )
      findings.add({
        root: pageRoot(read),
        dependsOn: [pageRoot(read)],
        name: 'monotonic-reads',
        clause,
        expected: `${inWords(read)}: message ${highest.id} at ${highest.sequence}, which the reader had read`,
        actual: `it denies more, and ends at ${reach}`,
        witness: [read, before.read, highest.lastBy],
      });
  }
}

/** What a page showed last, in the order of its stream. */
function highestOf({ top, places }: Page): Place | undefined {
  const last = places.at(-1);
  return last?.sequence === top ? last : places.find(({ sequence }) => sequence === top);
}
