import { inWords, type Page } from '../world/page.ts';
import type { Place } from '../world/sight.ts';
import type { Stream } from '../world/stream.ts';
import type { World } from '../world/world.ts';
import { mayBeHidden, mustMatch } from './coverage.ts';
import { judgeOf, type Findings, pageRoot } from '../anomalies/findings.ts';

/** On one page so many messages are looked at. */
const mostLookedAt = 200;

/**
 * What others read in a channel the reader of a page reads too. Every other rule of a channel holds what a reader is shown against what
 * that reader is shown at other times: that all see the same is implied only.
 */
export const sharing = judgeOf(['hidden-from-reader'], (findings, world) => {
  for (const stream of world.streams.values()) {
    if (stream.isFeed) continue;
    countShared(findings, stream);
    const found = new Set<string>();
    for (const page of stream.pages) {
      const { agent, after } = page;
      // What a channel returns without a cursor is left open.
      const isSettled = found.has(agent) || after === undefined;
      const hidden = isSettled ? undefined : hiddenOn(page, stream, world);
      if (hidden === undefined) continue;
      found.add(agent);
      addHidden(findings, { world, stream, page }, hidden);
    }
  }
});

/** What several agents were shown in a channel. */
function countShared(findings: Findings, { pages }: Stream): void {
  const shared = new Set<Place>();
  for (const { agent, places } of pages)
    for (const place of places) if (place.knownBy.agent !== agent) shared.add(place);
  findings.count('service.channels-are-shared', shared.size);
}

/** Up to which rank a page shows what there is: one that is full has no room for more, wherever its cursor goes on. */
function shownTo({ read: { limit }, size, top, hasMore, end }: Page, stream: Stream): number {
  if (limit !== undefined && size >= limit && top !== undefined) return stream.ranksUpTo(top);
  return hasMore === false ? stream.places.length : end;
}

/** A message that others read long before a page and long after it, and the reader of the page never. */
function hiddenOn(page: Page, stream: Stream, world: World): Place | undefined {
  const { settleMs } = world;
  const { agent, begin = page.end, end } = page;
  const from = stream.isWhole(page) ? end : begin;
  const to = shownTo(page, stream);
  const knownMs = page.startedMs - settleMs;
  let rank = stream.sights.nextKnownBefore(from, knownMs);
  for (let looked = 0; rank < to && looked < mostLookedAt; looked += 1) {
    const place = stream.places[rank];
    const isShownLater = place !== undefined && place.lastMs > page.endedMs + settleMs;
    if (isShownLater && stream.sightsOf(agent).at(rank) === undefined)
      if (mustMatch(stream, place, page.read, world) && !mayBeExplained(page, stream, place, world))
        return place;
    rank = stream.sights.nextKnownBefore(rank + 1, knownMs);
  }
  return undefined;
}

/**
 * Of what was recorded on its way: whether a message may have been hidden from everybody when a page was read, or be from before its reader
 * was called in: nobody says that one who comes later is shown what had been.
 */
function mayBeExplained(page: Page, stream: Stream, place: Place, world: World): boolean {
  if (world.history.facts.isPartial !== true) return false;
  const isThereBefore = page.places.some(({ sequence }) => sequence < place.sequence);
  return !isThereBefore || mayBeHidden({ world, stream, page, place });
}

function addHidden(
  findings: Findings,
  { world, stream, page }: { readonly world: World; readonly stream: Stream; readonly page: Page },
  { id, sequence, item, knownBy, lastBy }: Place,
): void {
  const { read } = page;
  findings.add({
    name: 'hidden-from-reader',
    clause: 'service.channels-are-shared',
    expected: `${inWords(read)}, by ${read.agent}: message ${id} at ${sequence}, as ${knownBy.agent} and ${lastBy.agent} read it`,
    actual: 'it is missing, and no read by that reader shows it',
    witness: [read, knownBy, lastBy, world.causeOf(item.message)],
    decides: read,
    root: `${stream.name} as ${read.agent} reads it`,
    dependsOn: [pageRoot(read)],
  });
}
