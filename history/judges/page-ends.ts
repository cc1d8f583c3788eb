import type { Operation, Read } from '../operation.ts';
import { bytesOf, defaultLimit, inWords, isCutByBytesBefore, type Page } from '../world/page.ts';
import type { Place } from '../world/sight.ts';
import type { Seen, Sights } from '../world/sights.ts';
import { countWhile } from '../world/sorted.ts';
import { isShownElsewhere, type Stream } from '../world/stream.ts';
import type { World } from '../world/world.ts';
import { clauseOfCut, longGapAt, mayBeHidden, mustMatch, whatIsDueOn } from './coverage.ts';
import { deniedRoot, judgeOf, type Findings, messageRoot, pageRoot } from '../anomalies/findings.ts';

/** A busy machine seldom delays one answer by more than this while it lets another through, in ms. */
const heldUpMs = 1000;
/** Of one page so many messages beyond its end are looked at, and so many stretches passed over in which all are gone. */
const mostLookedAt = 200;
const mostLeaps = 2_000;

/** What lies beyond the end of a page: it announces it, it shows the newest, it is up to date, and it wakes for it. */
export const pageEnds = judgeOf(
  ['has-more-false', 'newest-page-not-newest', 'stale-read', 'missed-wakeup', 'resurrection'],
  (findings, world) => {
    for (const stream of world.streams.values()) {
      for (const page of stream.pages) {
        const each: Case = { world, stream, page };
        // What a channel returns without a cursor is left open, and with it what it passes over.
        const isOpen = !stream.isFeed && page.after === undefined;
        if (page.hasMore === false && !isOpen) judgeEnd(findings, each);
        if (page.hasMore === true && !isOpen) countMore(findings, each);
        if (stream.isFeed) {
          if (page.after === undefined) judgeNewest(findings, each);
        } else if (page.read.wait !== undefined) judgeWait(findings, each);
      }
    }
  },
);

interface Case {
  readonly world: World;
  readonly stream: Stream;
  readonly page: Page;
}

interface Times {
  readonly knownMs: number;
  readonly shownMs: number;
}

/** A message beyond the end of a page, and when the reader of the page saw it. */
interface Beyond {
  readonly place: Place;
  readonly own: Seen;
}

/**
 * Messages from a rank on that had been read before `knownMs` and were read again by a read that began after `shownMs`, of those that the
 * reader of the page was shown at some time: what it never was may be hidden from it.
 */
function beyond(each: Case, from: number, times: Times): Iterable<Beyond> {
  // Mostly there is nothing.
  const rank = each.stream.sights.nextKnownBefore(from, times.knownMs);
  return rank < each.stream.places.length ? knownFrom(each, rank, times) : [];
}

function* knownFrom(
  { world, stream, page: { read } }: Case,
  first: number,
  { knownMs, shownMs }: Times,
): Generator<Beyond> {
  const { places, sights } = stream;
  let own: Sights | undefined;
  let rank = first;
  let leaps = 0;
  for (let looked = 0; rank < places.length && looked < mostLookedAt && leaps < mostLeaps;) {
    const shown = sights.nextShownAfter(rank, shownMs);
    if (shown === rank) {
      looked += 1;
      const place = places[rank];
      own ??= stream.sightsOf(read.agent);
      const seen = own.at(rank);
      if (place !== undefined && seen !== undefined && mustMatch(stream, place, read, world))
        yield { place, own: seen };
    } else leaps += 1;
    rank = sights.nextKnownBefore(Math.max(shown, rank + 1), knownMs);
  }
}

/** A page that denies more: what had settled before is a breach, what another read had just shown is stale. */
function judgeEnd(findings: Findings, each: Case): void {
  const { world, stream, page } = each;
  const { read, reach } = page;
  const shownMs = page.endedMs + world.settleMs;
  const recency = stream.isFeed ? 'mentions.recency' : 'channel-read.recency';
  const missed = notOn(each, beyond(each, page.end, { knownMs: page.startedMs, shownMs }));
  if (missed === undefined) {
    if (page.end > 0 && page.size > 0) findings.count(recency);
    return;
  }
  const settled = { knownMs: page.startedMs - world.settleMs, shownMs };
  const denied = notOn(each, beyond(each, page.end, settled));
  const { place, own } = denied ?? missed;
  if (mayBeHidden({ ...each, place })) return;
  const gap = longGapAt({ ...each, place });
  // Of what a feed gives back nothing is said.
  if (gap !== undefined && stream.isFeed) return;
  const about = {
    witness: [read, place.knownBy, gap, place.lastBy, own.lastBy, world.causeOf(place.item.message)],
    root: pageRoot(read),
    dependsOn: [pageRoot(read), messageRoot(place.item.message)],
  };
  if (gap !== undefined)
    findings.add({
      ...about,
      name: 'resurrection',
      clause: 'channel-read.nothing-returns',
      expected: `${inWords(read)}: message ${place.id} at ${place.sequence}, which came back later`,
      actual: `it denies more, as another does more than ${world.settleMs} ms away`,
    });
  else if (denied !== undefined)
    findings.add({
      ...about,
      name: 'has-more-false',
      clause: isCutByBytesBefore(page, place)
        ? clauseOfCut(page, 'page.has-more-while-items-remain')
        : 'page.has-more-while-items-remain',
      expected: `${inWords(read)}: has_more true, since message ${place.id} lies at ${place.sequence}, beyond ${reach}`,
      actual: 'has_more false',
      breaks: [pageRoot(read), ...deniedRoot(read, bytesOf(place.item.message))],
    });
  else
    findings.add({
      ...about,
      name: 'stale-read',
      clause: recency,
      expected: `${inWords(read)}: message ${place.id} at ${place.sequence}, which had been read before`,
      actual: `it denies more, and ends at ${reach}`,
    });
}

/** The first of what lies beyond a page that it does not show at another place. */
function notOn({ stream, page }: Case, found: Iterable<Beyond>): Beyond | undefined {
  for (const each of found) if (!isShownElsewhere(page, each.place, stream)) return each;
  return undefined;
}

/** A page that announces more, and rightly. */
function countMore(findings: Findings, { world, stream, page }: Case): void {
  const place = stream.places[stream.sights.nextKnownBefore(page.end, page.startedMs)];
  if (place !== undefined && whatIsDueOn(page, world)(place))
    findings.count('page.has-more-while-items-remain');
}

/**
 * Without a cursor a listing holds the newest: no more than its limit had settled from its first item on. Where a byte cap
 * cuts it is left open; one without items that denies more has missed all.
 */
function judgeNewest(findings: Findings, each: Case): void {
  const { world, page } = each;
  const { read, first } = page;
  const limit = read.limit ?? defaultLimit;
  if (first === undefined && read.hasMore !== false) return;
  const settled = {
    knownMs: read.startedMs - world.settleMs,
    shownMs: read.endedMs + world.settleMs,
  };
  const shown = new Set(read.items.map(({ message }) => message.id));
  const known = new Map<string, Place>();
  let isMissing = false;
  for (const { place } of beyond(each, page.begin ?? 0, settled)) {
    known.set(place.id, place);
    isMissing ||= !shown.has(place.id);
    if (known.size > limit) break;
  }
  if (known.size === 0) return;
  const tooFew = first === undefined || (known.size > limit && isMissing);
  if (!tooFew) {
    findings.count('mentions.newest-page');
    return;
  }
  const places = [...known.values()];
  const [oldest, newest] = [places[0], places.at(-1)];
  if (newest === undefined) return;
  const missed = { ...each, place: newest };
  if (mayBeHidden(missed) || longGapAt(missed) !== undefined) return;
  findings.add({
    name: 'newest-page-not-newest',
    clause: 'mentions.newest-page',
    expected: `${inWords(read)}: the newest ${limit} messages`,
    actual:
      first === undefined
        ? 'nothing, and no more'
        : `it begins ${known.size} or more messages before the end, at ${first}`,
    witness: [read, oldest?.knownBy, newest.knownBy, oldest?.lastBy, newest.lastBy],
    root: pageRoot(read),
    dependsOn: [pageRoot(read)],
    breaks: [pageRoot(read)],
  });
}

/** A wait that ended empty, although something had been there for longer than the settle time. */
function judgeWait(findings: Findings, each: Case): void {
  const { world, stream, page } = each;
  const { read, places: shown } = page;
  const { wait = 0, after, items, startedMs, endedMs } = read;
  if (wait <= 0 || stream.isFeed || after === undefined) return;
  // An answer without a cursor is no page: what it lacks may be what was not recorded of it.
  if (items.length === 0 && read.nextAfter === undefined && read.status !== 204) return;
  if (items.length > 0) {
    const isSentMeanwhile = ({ item }: Place): boolean =>
      (world.causeOf(item.message)?.startedMs ?? Number.NEGATIVE_INFINITY) > startedMs;
    if (shown.some(isSentMeanwhile)) findings.count('channel-read.wait-wakes');
    return;
  }
  // Whatever the answer was held up by on its way: it was given no earlier than the wait was over, and need not have been later.
  const givenMs = Math.min(endedMs, startedMs + 1000 * wait);
  const times = { knownMs: givenMs - world.settleMs, shownMs: endedMs };
  const [missed] = beyond(each, page.end, times);
  // What had been there when the wait began is another matter.
  if (missed === undefined || missed.place.knownMs < startedMs) return;
  const { place, own } = missed;
  const control = servedBeside(each, place, own.lastBy);
  if (control === undefined) return;
  findings.add({
    name: 'missed-wakeup',
    clause: 'channel-read.wait-wakes',
    expected: `${inWords(read)}: message ${place.id} at ${place.sequence}, which others read while it waited`,
    actual: `nothing, ${Math.round(endedMs - place.knownMs)} ms after that`,
    witness: [world.causeOf(place.item.message), read, place.knownBy, control, place.lastBy, own.lastBy],
    root: pageRoot(read),
    dependsOn: [pageRoot(read), messageRoot(place.item.message)],
  });
}

/** When an answer that was under way beside a read may have come at the latest: a busy machine may hold it up as long again, and a second. */
function latestComparableMs({ startedMs, endedMs }: Read): number {
  return endedMs + (endedMs - startedMs) + heldUpMs;
}

/**
 * A plain read that began once a message had settled, and was answered well before a wait: without one the wait may have been cut
 * short before the message came, and its answer been held up since, as all others were. `own` is taken where it will do.
 */
function servedBeside({ world, page: { read: waited } }: Case, place: Place, own: Read): Read | undefined {
  const fromMs = place.knownMs + world.settleMs;
  const { operations } = world.history;
  const isServed = (operation: Operation | undefined): operation is Read =>
    operation?.kind === 'read' &&
    operation.outcome === 'accepted' &&
    operation.wait === undefined &&
    operation.startedMs > fromMs &&
    latestComparableMs(operation) < waited.endedMs;
  if (isServed(own)) return own;
  let rank = countWhile(operations.length, (each) => (operations[each]?.endedMs ?? 0) <= fromMs);
  for (; (operations[rank]?.endedMs ?? Infinity) < waited.endedMs; rank += 1) {
    const operation = operations[rank];
    if (isServed(operation)) return operation;
  }
  return undefined;
}
