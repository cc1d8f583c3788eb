import type { ClauseId } from '../../spec/index.ts';
import type { Read } from '../operation.ts';
import { inWords, isCutByBytesBefore, type Page } from '../world/page.ts';
import type { Place } from '../world/sight.ts';
import type { Seen, Sights } from '../world/sights.ts';
import { countWhile } from '../world/sorted.ts';
import { isShownElsewhere, type Stream } from '../world/stream.ts';
import { leastAwayMs, mayHaveLeft, mayHaveMoved, type Span } from '../world/changes.ts';
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
        countFor(findings, stream, page, world);
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
  let own: Sights | undefined;
  for (
    let rank = stream.sights.nextShownAfter(begin, settledMs);
    rank < end;
    rank = stream.sights.nextShownAfter(rank + 1, settledMs)
  ) {
    const place = stream.places[rank];
    if (place === undefined || shown.has(place)) continue;
    // Made where something is missing alone: it takes room for each reader and message.
    own ??= stream.sightsOf(read.agent);
    const seen = own.at(rank);
    if (seen === undefined) continue;
    if (isShownElsewhere(page, place, stream)) continue;
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
export function mustMatch(stream: Stream, place: Place, read: Read, world: World): boolean {
  const { knownMs, lastMs } = place;
  const whole = { fromMs: Math.min(knownMs, read.startedMs), toMs: Math.max(lastMs, read.endedMs) };
  if (mustMatchWithin(stream, place, read, { world, ...whole })) return true;
  if (world.changes.length === 0) return false;
  // What was changed long before, or long after, explains nothing between the two sights that are the nearest.
  const near = nearestSights(stream, place, read, world.settleMs);
  return near !== undefined && mustMatchWithin(stream, place, read, { world, ...near });
}

function mustMatchWithin(
  { isFeed }: Stream,
  place: Place,
  read: Read,
  { world, fromMs, toMs }: Span & { readonly world: World },
): boolean {
  const { knownBy, lastBy } = place;
  const { targets, author } = place.item.message;
  const { principals, history } = world;
  const id = principals.agentOf(read.agent) ?? read.agentId;
  if (mayHaveLeft(world, id, { fromMs, toMs: read.endedMs })) return false;
  if (mayHaveLeft(world, author?.id, { fromMs, toMs })) return false;
  if (!isFeed) return true;
  const isOne = isOneAgent(read.agent) && history.facts.isPartial !== true;
  if (!isOne && (id === undefined || knownBy.agentId !== id || lastBy.agentId !== id)) return false;
  if (id !== undefined && targets.includes(`agent:${id}`)) return true;
  if (id !== undefined && targets.some((target) => principals.mayLack(id, target))) return false;
  return !mayHaveMoved(world, id, { fromMs, toMs });
}

/** Of so many pages on either side of one the nearest sight of a message is looked for. */
const mostPagesAside = 500;

/**
 * The last sight of a message before a read, and the first more than the settle time after it, with a settle time on either side, for which
 * a change may not be everywhere; `undefined` where one is not near.
 */
function nearestSights(
  { pages }: Stream,
  place: Place,
  { startedMs, endedMs }: Read,
  settleMs: number,
): Span | undefined {
  const at = countWhile(pages.length, (rank) => (pages[rank]?.endedMs ?? 0) < startedMs);
  const shows = (each: Page): boolean => each.places.includes(place);
  const before = pages.slice(Math.max(0, at - mostPagesAside), at).findLast(shows);
  const after = pages
    .slice(at, at + mostPagesAside)
    .find((each) => each.startedMs > endedMs + settleMs && shows(each));
  // One that came to light later was not there before.
  if (after === undefined || (before === undefined && place.knownMs < startedMs)) return undefined;
  return { fromMs: (before?.endedMs ?? startedMs) - settleMs, toMs: after.startedMs + settleMs };
}

/**
 * Which messages a page may be missed on, so that it is put to the test by what it shows. Of traffic only its answers say whom a feed is of,
 * and whoever else names its reader may stand for others.
 */
export function whatIsDueOn({ read }: Page, { history }: World): (place: Place) => boolean {
  if (read.call !== 'mentions' || history.facts.isPartial !== true) return () => true;
  return ({ item }) => read.agentId !== undefined && item.message.targets.includes(`agent:${read.agentId}`);
}

function countFor(findings: Findings, { isFeed, places: all }: Stream, page: Page, world: World): void {
  const { after, startedMs, places, reach } = page;
  const isDue = whatIsDueOn(page, world);
  let known = 0;
  for (const place of places) if (place.knownMs < startedMs && isDue(place)) known += 1;
  if (known > 0) {
    if (after !== undefined)
      findings.count(isFeed ? 'mentions.walk-is-complete' : 'channel-read.walk-is-complete', known);
    if (after === 0) findings.count(isFeed ? 'mentions.after.zero-is-oldest' : 'channel-read.after-zero');
  }
  const next = page.hasMore === true ? all[page.end] : undefined;
  if (next !== undefined && next.knownMs < startedMs && isDue(next) && isCutByBytesBefore(page, next))
    findings.count(clauseOfCut(page, 'limits.byte-cap-loses-nothing'));
  const last = all.findLast((place) => place.sequence <= reach || isDue(place));
  const hasLater = (last?.sequence ?? 0) > reach;
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
  if (mayBeHidden(missing)) return undefined;
  const gap = longGapAt(missing);
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

/**
 * Another page that lacks a message in the same time between two sights of it or of something older, more than the settle time away: then the
 * oldest messages were gone for long and for every reader, and retention that gives something back is not forbidden in words. Searched from
 * the page on in both directions: what ends the search is mostly near.
 */
export function longGapAt({
  stream: { pages },
  page,
  place,
  world: { settleMs },
}: Omit<Missing, 'seen'>): Read | undefined {
  if (!lacksOldest(page, place)) return undefined;
  const at = rankOf(page, pages);
  for (const step of [-1, 1]) {
    for (let rank = at + step; ; rank += step) {
      const other = pages[rank];
      if (other === undefined) break;
      const { startedMs, endedMs, first = Number.POSITIVE_INFINITY, read } = other;
      if (lacksOldest(other, place)) {
        if (startedMs > page.endedMs + settleMs || page.startedMs > endedMs + settleMs) return read;
      } else if (first <= place.sequence) break;
    }
  }
  return undefined;
}

/**
 * Of what was recorded on its way: whether a message may have been hidden when a page was read. Its author may have been away, where the page
 * shows nothing else by it, and the message was not seen shortly before and after; or the oldest messages may have been gone.
 */
export function mayBeHidden(missing: Omit<Missing, 'seen'>): boolean {
  const { stream, page, place, world } = missing;
  if (world.history.facts.isPartial !== true) return false;
  if (longGapAt(missing) !== undefined) return true;
  const author = place.item.message.author?.id;
  const isBy = ({ item }: Place): boolean => item.message.author?.id === author;
  if (author !== undefined && page.places.some(isBy)) return false;
  const [before, after] = [-1, 1].map((step) => nextShowing(place, { stream, page, step }));
  if (before === undefined || after === undefined) return true;
  return after.startedMs - before.endedMs >= Math.max(world.settleMs, leastAwayMs);
}

/** The page next to another that shows a message: by steps of 1 after it, of -1 before it. */
function nextShowing(
  place: Place,
  { stream: { pages }, page, step }: Pick<Missing, 'stream' | 'page'> & { readonly step: number },
): Page | undefined {
  let rank = rankOf(page, pages) + step;
  while (pages[rank]?.places.includes(place) === false) rank += step;
  return pages[rank];
}

/** Where a page stands among all, which are in the order of their ends. */
function rankOf(page: Page, pages: readonly Page[]): number {
  return pages.indexOf(
    page,
    countWhile(pages.length, (rank) => (pages[rank]?.endedMs ?? 0) < page.endedMs),
  );
}

/** Whether a page goes from where it was to begin past a message, or to the end, without anything up to that message. */
function lacksOldest({ after, first, reach, hasMore }: Page, { sequence }: Place): boolean {
  const from = first === undefined ? (after ?? 0) : after;
  if (from === undefined || from >= sequence) return false;
  return (reach >= sequence || hasMore === false) && (first === undefined || first > sequence);
}
