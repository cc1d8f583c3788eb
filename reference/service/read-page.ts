import type { Entry, PageFacts, PageRequest, StreamName } from '../model/page-facts.ts';
import { Refusal } from '../model/refusal.ts';
import type { Service } from './service.ts';

/** A history that can be read from either side. */
export interface Stream {
  readonly name: StreamName;
  /** The id of the channel, or of the reading agent. */
  readonly id: string;
  /** Highest sequence given out so far, 0 when none was. */
  readonly end: bigint;
  /** Number of the newest event of the workspace, 0 when there is none. */
  readonly lastEvent: () => bigint;
  /** Entries from `from` on, ascending, `from` included; about `expected` of them will be taken. */
  ascending(from: bigint, expected: number): Iterable<Entry>;
  /** The same downwards. */
  descending(from: bigint, expected: number): Iterable<Entry>;
}

/**
 * Chooses the entries of one page: those after the cursor, or the newest ones when there is no cursor; at most
 * `limit`, in order, and no more than fit under the byte cap.
 * @throws Refusal (409) when a rule finds the cursor in conflict with the watermark.
 */
export function readStreamPage(
  service: Service,
  stream: Stream,
  asked: PageRequest,
  isListed: (entry: Entry) => boolean,
): PageFacts {
  const { rules } = service;
  const { after, limit } = rules.pageRead(asked, stream.name);
  const isSeen = snapshotOf(service, stream.name);
  const isThere = (entry: Entry): boolean => isSeen(entry) && isListed(entry);
  const streamEnd = visibleEnd(rules, stream, isSeen);
  const isRetained = rules.retains({
    stream: stream.name,
    id: stream.id,
    nowMs: service.sources.now(),
    newest: (count) => firstEntries(stream.descending(stream.end, count), count, isThere),
  });
  const isWanted = (entry: Entry): boolean => isThere(entry) && isRetained(entry);
  if (after !== undefined) checkCursor(service, stream, after, streamEnd, isRetained);

  const known = {
    stream: stream.name,
    history: stream.id,
    after,
    limit,
    streamEnd,
    lastListed: () => lastOf(stream, isWanted),
    lastEvent: stream.lastEvent,
  };
  const isNewest = after === undefined && rules.readsNewestWhenOmitted(stream.name);
  const page = isNewest
    ? newestPage(service, stream, limit, streamEnd, isWanted)
    : pageAfter(service, stream, after ?? 0n, limit, streamEnd, isWanted);
  return { ...known, ...page };
}

type Chosen = Pick<PageFacts, 'entries' | 'isMoreAbove' | 'isMoreBelow' | 'isCutByBytes' | 'scannedTo'>;

function newestPage(
  service: Service,
  stream: Stream,
  limit: number,
  streamEnd: bigint,
  isWanted: (entry: Entry) => boolean,
): Chosen {
  const { rules } = service;
  const found = firstEntries(stream.descending(streamEnd, limit + 1), limit + 1, isWanted);
  const newest = found.slice(0, limit);
  const keepsOlderEnd = rules.keepsOlderEndOfNewest();
  const kept = underCap(service, stream.name, keepsOlderEnd ? newest.toReversed() : newest);
  const isCutByBytes = kept.length < newest.length;
  return {
    entries: kept.toSorted(rules.comparePlaces),
    isMoreAbove: isCutByBytes && keepsOlderEnd,
    isMoreBelow: found.length > limit || (isCutByBytes && !keepsOlderEnd),
    isCutByBytes,
    scannedTo: streamEnd,
  };
}

function pageAfter(
  service: Service,
  stream: Stream,
  after: bigint,
  limit: number,
  streamEnd: bigint,
  isWanted: (entry: Entry) => boolean,
): Chosen {
  const { rules } = service;
  const scannedTo = rules.scanEnd({ after, streamEnd, stream: stream.name });
  const source = upTo(
    scannedTo,
    stream.ascending(rules.firstSequenceAfter(after, stream.name, stream.id), limit + 1),
  );
  const found = firstEntries(source, limit + 1, isWanted);
  const kept = underCap(service, stream.name, found.slice(0, limit));
  const isCutByBytes = kept.length < Math.min(found.length, limit);
  return {
    entries: kept.toSorted(rules.comparePlaces),
    isMoreAbove: isCutByBytes || found.length > limit || scannedTo < streamEnd,
    isMoreBelow: false,
    isCutByBytes,
    scannedTo,
  };
}

/** Which entries this read can see; without lag and delay, all of them. */
function snapshotOf({ rules, sources }: Service, stream: StreamName): (entry: Entry) => boolean {
  const nowMs = sources.now();
  const ageMs = rules.snapshotAgeMs(stream);
  return (entry) => {
    const delayMs = Math.max(ageMs, rules.commitDelayMs(entry));
    return delayMs <= 0 || entry.committedMs + delayMs <= nowMs;
  };
}

/** End of the history as this read sees it: what comes after the last visible entry does not exist yet. */
function visibleEnd(rules: Service['rules'], stream: Stream, isSeen: (entry: Entry) => boolean): bigint {
  let end = stream.end;
  for (const entry of stream.descending(stream.end, 1)) {
    if (isSeen(entry)) return end > entry.sequence ? end : entry.sequence;
    end = rules.endBelow(entry);
  }
  return end;
}

function checkCursor(
  { rules }: Service,
  stream: Stream,
  after: bigint,
  streamEnd: bigint,
  isRetained: (entry: Entry) => boolean,
): void {
  const oldest = (): bigint =>
    firstEntries(stream.ascending(0n, 1), 1, isRetained)[0]?.sequence ?? streamEnd + 1n;
  if (rules.conflictsWithWatermark({ after, streamEnd, oldest })) {
    throw new Refusal('conflict', 'the cursor conflicts with the watermark of the history');
  }
}

function lastOf(stream: Stream, isWanted: (entry: Entry) => boolean): bigint {
  const [last] = firstEntries(stream.descending(stream.end, 1), 1, isWanted);
  return last?.sequence ?? 0n;
}

function firstEntries(source: Iterable<Entry>, count: number, isWanted: (entry: Entry) => boolean): Entry[] {
  const found: Entry[] = [];
  for (const entry of source) {
    if (isWanted(entry)) found.push(entry);
    if (found.length === count) break;
  }
  return found;
}

function* upTo(end: bigint, source: Iterable<Entry>): Generator<Entry> {
  for (const entry of source) {
    if (entry.sequence > end) return;
    yield entry;
  }
}

function underCap({ rules, settings }: Service, stream: StreamName, entries: readonly Entry[]): Entry[] {
  const kept: Entry[] = [];
  let bytes = 0;
  for (const entry of entries) {
    const nextBytes = rules.weightUnderCap(entry);
    const room = { count: kept.length, bytes, nextBytes, capBytes: settings.historyBytes };
    if (!rules.fitsOnPage({ stream, ...room })) break;
    kept.push(entry);
    bytes += nextBytes;
  }
  return kept;
}
