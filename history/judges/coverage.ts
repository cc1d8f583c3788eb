import type { ClauseId } from '../../spec/index.ts';
import type { Read } from '../operation.ts';
import { inWords, isCutByBytesBefore, type Page } from '../world/page.ts';
import type { Place } from '../world/sight.ts';
import type { Seen } from '../world/sights.ts';
import { countWhile } from '../world/sorted.ts';
import { isOn, mayStandTwice, type Stream } from '../world/stream.ts';
import { mayHaveLeft, mayHaveMoved } from '../world/changes.ts';
import { isOneAgent } from '../world/principals.ts';
import type { World } from '../world/world.ts';
import type { AnomalyName } from '../anomalies/catalogue.ts';
import { judgeOf, type Findings, messageRoot, pageRoot, passedRoot } from '../anomalies/findings.ts';

/** Of one page so many missing messages are named. */
const mostOfOnePage = 8;

/**
 * A page holds everything between its cursor and where it ends. What is missing fails a server only if a read showed it that began more
 * than the settle time after the page, so that retention does not explain it, and if its reader was shown it at some time: it may be
 * hidden from one that never was, which is another matter.
 */
export const coverage = judgeOf(
  ['poll-skip', 'late-commit', 'newest-page-hole', 'resurrection', 'long-poll-disagrees'],
  (findings, world) => {
    for (const stream of world.streams.values()) {
      for (const page of stream.pages) {
        countFor(findings, stream, page);
        for (const [place, seen] of missingOn(stream, page, world))
          judgeMissing(findings, { world, stream, page, place, seen });
      }
    }
  },
);

/** What a page should have shown, and when its reader saw that. */
function missingOn(stream: Stream, page: Page, world: World): readonly (readonly [Place, Seen])[] {
  const { read, places, begin, end, after } = page;
  if (begin === undefined || stream.isWhole(page)) return [];
  // What a channel returns without a cursor is left open.
  if (!stream.isFeed && after === undefined) return [];
  const missing: (readonly [Place, Seen])[] = [];
  const settledMs = read.endedMs + world.settleMs;
  const shown = new Set<Place>(places);
  const own = stream.sightsOf(read.agent);
  for (
    let rank = stream.sights.nextShownAfter(begin, settledMs);
    rank < end;
    rank = stream.sights.nextShownAfter(rank + 1, settledMs)
  ) {
    const [place, seen] = [stream.places[rank], own.at(rank)];
    if (place === undefined || seen === undefined || shown.has(place)) continue;
    if (mayStandTwice(place, stream.isFeed) && isOn(page, place)) continue;
    if (!mustMatch(stream, place, read, world)) continue;
    missing.push([place, seen]);
    if (missing.length >= mostOfOnePage) break;
  }
  return missing;
}

/**
 * Whether a page had to show what another read of its stream shows: not where its reader had been away meanwhile, nor what is by somebody who
 * had: that it stays listed all the while is only implied. Nor in the feed of a credential that may act as several, unless the answers name one; nor by a human or machine that was not available at some time, or
 * may stand for somebody else meanwhile.
 */
export function mustMatch({ isFeed }: Stream, place: Place, read: Read, world: World): boolean {
  const { knownMs, lastMs, knownBy, lastBy } = place;
  const { targets } = place.item.message;
  const { principals, history } = world;
  const id = principals.agentOf(read.agent) ?? read.agentId;
  const fromMs = Math.min(knownMs, read.startedMs);
  if (mayHaveLeft(world, id, { fromMs, toMs: read.endedMs })) return false;
  const { author } = place.item.message;
  if (mayHaveLeft(world, author?.id, { fromMs, toMs: Math.max(lastMs, read.endedMs) })) return false;
  if (!isFeed) return true;
  const isOne = isOneAgent(read.agent) && history.facts.isPartial !== true;
  if (!isOne && (id === undefined || knownBy.agentId !== id || lastBy.agentId !== id)) return false;
  if (id !== undefined && targets.includes(`agent:${id}`)) return true;
  if (id !== undefined && targets.some((target) => principals.mayLack(id, target))) return false;
  return !mayHaveMoved(world, id, { fromMs, toMs: Math.max(lastMs, read.endedMs) });
}

function countFor(findings: Findings, { isFeed, places: all }: Stream, page: Page): void {
  const { after, startedMs, places, reach } = page;
  let known = 0;
  for (const { knownMs } of places) if (knownMs < startedMs) known += 1;
  if (known > 0) {
    if (after !== undefined)
      findings.count(isFeed ? 'mentions.walk-is-complete' : 'channel-read.walk-is-complete', known);
    if (after === 0) findings.count(isFeed ? 'mentions.after.zero-is-oldest' : 'channel-read.after-zero');
  }
  const next = page.hasMore === true ? all[page.end] : undefined;
  if (next !== undefined && next.knownMs < startedMs && isCutByBytesBefore(page, next))
    findings.count(clauseOfCut(page, 'limits.byte-cap-loses-nothing'));
  const hasLater = (all.at(-1)?.sequence ?? 0) > reach;
  if (hasLater) findings.count(isFeed ? 'mentions.cursor-never-skips' : 'channel-read.cursor-never-skips');
}

/** A message that a page lacks. */
interface Missing {
  readonly world: World;
  readonly stream: Stream;
  readonly page: Page;
  readonly place: Place;
  /** When the reader of the page saw it, at whatever time. */
  readonly seen: Seen;
}

function judgeMissing(findings: Findings, missing: Missing): void {
  const { world, stream, page, place, seen } = missing;
  const { read, reach } = page;
  const named = nameOf(missing);
  if (named === undefined) return;
  const [name, clause, other] = named;
  const cause = world.causeOf(place.item.message);
  const finding = {
    clause,
    expected: `${inWords(read)}, which reaches ${reach}: message ${place.id} at sequence ${place.sequence}`,
    actual: actualOf(name, place.knownMs > page.endedMs),
    witness:
      name === 'late-commit'
        ? [cause, read, place.knownBy, place.lastBy, seen.lastBy]
        : [read, place.knownBy, other, place.lastBy, seen.lastBy, cause],
    root: name === 'late-commit' ? messageRoot(place.item.message) : pageRoot(read),
    dependsOn: [pageRoot(read), messageRoot(place.item.message)],
    breaks: [
      pageRoot(read),
      messageRoot(place.item.message),
      ...(name === 'poll-skip' && place.sequence > (page.top ?? 0) ? [passedRoot(read)] : []),
    ],
  };
  findings.add({ ...finding, name });
  if (read.wait !== undefined && read.wait > 0 && !stream.isFeed && clause !== 'channel-read.after-zero')
    findings.add({ ...finding, name: 'long-poll-disagrees', root: pageRoot(read) });
}

function actualOf(name: AnomalyName, isLater: boolean): string {
  if (name !== 'late-commit') return 'it is missing, and was there before and afterwards';
  return isLater
    ? 'it came to light below that later'
    : 'it is missing, and came to light before that was answered';
}

function nameOf(missing: Missing): readonly [AnomalyName, ClauseId, Read?] | undefined {
  const { stream, page, place } = missing;
  const { read } = page;
  const { isFeed } = stream;
  const gap = longGapAt(missing);
  if (gap !== undefined && missing.world.history.facts.isPartial === true) return undefined;
  if (place.knownMs >= read.startedMs)
    return ['late-commit', isFeed ? 'mentions.cursor-never-skips' : 'channel-read.cursor-never-skips'];
  // Of what a feed gives back nothing is said.
  if (gap !== undefined) return isFeed ? undefined : ['resurrection', 'channel-read.nothing-returns', gap];
  if (isCutByBytesBefore(page, place))
    return ['poll-skip', clauseOfCut(page, 'limits.byte-cap-loses-nothing')];
  if (read.after === undefined) return ['newest-page-hole', 'mentions.newest-page'];
  if (read.after === 0 && lacksOldest(page, place))
    return ['poll-skip', isFeed ? 'mentions.after.zero-is-oldest' : 'channel-read.after-zero'];
  return ['poll-skip', isFeed ? 'mentions.walk-is-complete' : 'channel-read.walk-is-complete'];
}

/** The clause about what goes on where a byte cap cut a page: the first of a listing has one of its own. */
export function clauseOfCut({ read: { call, after } }: Page, ofOthers: ClauseId): ClauseId {
  return call === 'mentions' && after === undefined ? 'mentions.shortened-first-page-continues' : ofOthers;
}

/** Nobody is sent away and called back within this time, in ms. */
const leastAwayMs = 10_000;

/**
 * Another page that lacks a message in the same time between two sights of it or of something older, more than the settle time away: then the
 * oldest messages were gone for long and for every reader, and retention that gives something back is not forbidden in words. Of what was recorded
 * on its way any message counts, ten seconds apart: its author, or its reader, may have been away as long, and nobody knows. Searched from the page on in both
 * directions: what ends the search is mostly near.
 */
export function longGapAt({
  stream: { pages, isFeed },
  page,
  place,
  world: { settleMs, history },
}: Omit<Missing, 'seen'>): Read | undefined {
  const isAny = history.facts.isPartial === true;
  const lacks = (other: Page): boolean =>
    isAny ? lacksAny(other, place, isFeed) : lacksOldest(other, place);
  const isShownOn = ({ first = Number.POSITIVE_INFINITY, places }: Page): boolean =>
    isAny ? places.includes(place) : first <= place.sequence;
  if (!lacks(page)) return undefined;
  const apartMs = isAny ? Math.max(settleMs, leastAwayMs) : settleMs;
  const at = pages.indexOf(
    page,
    countWhile(pages.length, (rank) => (pages[rank]?.endedMs ?? 0) < page.endedMs),
  );
  for (const step of [-1, 1]) {
    for (let rank = at + step; ; rank += step) {
      const other = pages[rank];
      if (other === undefined) break;
      const { startedMs, endedMs, read } = other;
      if (lacks(other)) {
        if (startedMs > page.endedMs + apartMs || page.startedMs > endedMs + apartMs) return read;
      } else if (isShownOn(other)) break;
    }
  }
  return undefined;
}

/** Whether a page goes past where a message stands, or to the end, without it. */
function lacksAny({ after, begin, end, hasMore, places }: Page, place: Place, isFeed: boolean): boolean {
  // What a channel returns without a cursor is left open.
  if (begin === undefined || (after === undefined && !isFeed)) return false;
  return begin <= place.rank && (place.rank < end || hasMore === false) && !places.includes(place);
}

/** Whether a page goes from where it was to begin past a message, or to the end, without anything up to that message. */
function lacksOldest({ after, first, reach, hasMore }: Page, { sequence }: Place): boolean {
  const from = first === undefined ? (after ?? 0) : after;
  if (from === undefined || from >= sequence) return false;
  return (reach >= sequence || hasMore === false) && (first === undefined || first > sequence);
}
