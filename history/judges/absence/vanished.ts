import type { ClauseId } from '../../../spec/index.ts';
import type { Change, Read } from '../../operation.ts';
import { bytesOf, inWords, type Page } from '../../world/page.ts';
import { besidesShownBy, filesAt, type Place } from '../../world/sight.ts';
import type { Sequence } from '../../sequence.ts';
import { RankTree } from '../../world/rank-tree.ts';
import { grouped, push } from '../../../spec/groups.ts';
import { isShownElsewhere, type Stream } from '../../world/stream.ts';
import { anchorsOf, bytesAt, kindAt, readsFrom, speaksFor, walksOf, type Walk } from '../../world/walks.ts';
import { mayHaveLeft, mayHaveMoved, restartBetween } from '../../world/changes.ts';
import type { World } from '../../world/world.ts';
import type { AnomalyName } from '../../anomalies/catalogue.ts';
import { absenceRoots, judgeOf, type Findings, messageRoot } from '../../anomalies/findings.ts';

/**
 * A message that was read is not gone while an older one of its kind is there that is no shorter. Retention takes the older first, or the
 * longer, at least among messages of one channel, author and size, and in feeds of the same targets.
 */
export const vanished = judgeOf(['vanished', 'lost-across-restart'], (findings, world) => {
  for (const stream of world.streams.values()) {
    countAgain(findings, world, stream);
    const walks = walksOf(stream);
    if (!stream.isFeed) countGone(findings, world, stream, walks);
    judgeStream(findings, { world, stream, walks });
  }
});

/**
 * Every place on the last page of each reader that covers it by itself, and else in the last walk that does: one who never saw a message may
 * come last, and says nothing of it. Each place is found gone once.
 */
function judgeStream(
  findings: Findings,
  {
    world,
    stream,
    walks,
  }: { readonly world: World; readonly stream: Stream; readonly walks: readonly Walk[] },
): void {
  const byReader = grouped(walks, (walk) => walk.first.read.agent);
  const gone = new Set<Place>();
  let members: ReadonlyMap<string, readonly Place[]> | undefined;
  for (const ofReader of byReader.values()) {
    const latest = ofReader
      .filter((walk) => walk.hasGaps)
      .toSorted((one, other) => other.startedMs - one.startedMs);
    for (const groupsOf of [eachPage, allPages])
      for (const [kind, own] of rangesOf(latest, groupsOf, stream)) {
        members ??= grouped(stream.places, kindAt);
        const places = members.get(kind) ?? [];
        const last = lastCovering(places, own);
        places.forEach((place, index) => {
          const range = last[index];
          if (range === undefined || gone.has(place)) return;
          if (judgePlace(findings, { world, stream, place, ...range })) gone.add(place);
        });
      }
  }
}

/** What was shown again. In traffic others may have restarted the server, so that nothing is found gone, and nothing counts as kept. */
function countAgain(findings: Findings, { history }: World, { places, isFeed }: Stream): void {
  if (history.facts.isPartial === true) return;
  const again = places.reduce((sum, { lastBy, knownBy }) => sum + (lastBy === knownBy ? 0 : 1), 0);
  for (const clause of clausesOfGone[isFeed ? 'feed' : 'channel']) findings.count(clause, again);
}

/** What was read before a restart and after it, and what retention had taken away for long when the last walk began. */
function countGone(findings: Findings, world: World, { places }: Stream, walks: readonly Walk[]): void {
  // In traffic what was gone for long may come back.
  if (world.history.facts.isPartial === true) return;
  const complete = walks.filter(({ isComplete, first }) => isComplete && first.read.after === 0);
  const beganMs = complete.reduce((latest, { startedMs }) => Math.max(latest, startedMs), 0);
  const gone = places.filter(({ lastMs }) => lastMs < beganMs - world.settleMs);
  findings.count('channel-read.nothing-returns', gone.length);
  if (!world.changes.some(({ change }) => change === 'restart')) return;
  const kept = places.filter(({ knownMs, lastMs }) => restartBetween(world, knownMs, lastMs) !== undefined);
  findings.count('channel-read.survives-a-restart', kept.length);
}

/** For what its reader was shown once, and for what it was shown again before it was gone. */
const clausesOfGone = {
  channel: ['channel-read.reads-repeat', 'states.messages-do-not-vanish'],
  feed: ['mentions.acknowledges-nothing', 'states.mentions-do-not-vanish'],
} as const satisfies Readonly<Record<string, readonly ClauseId[]>>;

/** A walk that shows a message of a kind, and everything after it up to some place. */
interface Range {
  readonly walk: Walk;
  readonly anchor: Place;
  readonly reach: Sequence;
}

/** Pages of a walk that are looked at together. */
type Grouping = (walk: Walk) => readonly (readonly Page[])[];

/** Each page by itself: its anchors are no older than what it lacks, however long the walk went on. */
const eachPage: Grouping = ({ pages }) => pages.filter((page) => page.hasGaps).map((page) => [page]);

/** Several pages together. */
const allPages: Grouping = ({ pages }) => (pages.length === 1 ? [] : [pages]);

/** What groups of pages show; of walks by the latest begin, so that the first to cover a place is the one that counts. */
function rangesOf(
  walks: readonly Walk[],
  groupsOf: Grouping,
  stream: Stream,
): ReadonlyMap<string, readonly Range[]> {
  const ranges = new Map<string, Range[]>();
  for (const walk of walks)
    for (const pages of groupsOf(walk)) {
      const reach = pages.at(-1)?.reach ?? 0;
      for (const [kind, anchors] of anchorsOf(pages, speaksFor.byPlace))
        for (const anchor of anchors)
          if (stream.ranksUpTo(reach) > anchor.rank + 1) push(ranges, kind, { walk, anchor, reach });
    }
  return ranges;
}

/** For each place the last range that covers it. */
function lastCovering(places: readonly Place[], ranges: readonly Range[]): readonly (Range | undefined)[] {
  const covering = places.map((): Range | undefined => undefined);
  const open = new RankTree(Float64Array.from(places, (place) => -bytesAt(place)));
  const indexOf = new Map(places.map((place, index) => [place, index]));
  for (const range of ranges) {
    const { anchor, reach } = range;
    const bound = -bytesAt(anchor) - 1;
    let at = (indexOf.get(anchor) ?? places.length) + 1;
    while ((at = open.nextAbove(at, bound)) < places.length && (places[at]?.sequence ?? 0) <= reach) {
      covering[at] = range;
      open.remove(at);
    }
  }
  return covering;
}

interface Case extends Range {
  readonly world: World;
  readonly stream: Stream;
  readonly place: Place;
}

/** Whether a message is found gone. */
function judgePlace(findings: Findings, each: Case): boolean {
  const { world, stream, place, walk, anchor } = each;
  const { message } = place.item;
  if (walk.startedMs <= place.lastMs + world.settleMs) return false;
  // Where others may have restarted the server, only what the history sent is asked for.
  if (place.origin === undefined && world.history.facts.isPartial === true) return false;
  // What its reader never saw may be hidden from it: that is another matter.
  const own = stream.sightsOf(walk.first.read.agent).at(place.rank);
  if (own === undefined) return false;
  // That what somebody wrote who is away stays is only implied.
  if (mayHaveLeft(world, message.author?.id, { fromMs: place.knownMs, toMs: walk.endedMs })) return false;
  if (mayHaveChanged(each)) return false;
  if (walk.pages.some((page) => isShownElsewhere(page, place, stream))) return false;
  const restart = restartBetween(world, place.lastBy.endedMs, walk.startedMs);
  // What was shown again has not gone by being read.
  const again = restart === undefined && own.knownBy !== own.lastBy ? [own.knownBy] : [];
  const named = nameOf(stream, { restart, isShownAgain: again.length > 0 }, world);
  if (named === undefined) return false;
  const [name, clause] = named;
  const pages = readsFrom(walk, anchor, place.sequence);
  const covering = pages.at(-1);
  if (covering === undefined || !isHeld(pages, anchor, world.settleMs)) return false;
  const ofAnchor = stream.isFeed || filesAt(anchor).length > 0 ? besidesShownBy(anchor) : [];
  findings.add({
    name,
    clause,
    expected: `${inWords(covering)}: message ${place.id} at sequence ${place.sequence}, as it was read before`,
    actual: `it is gone, while ${anchor.id} at ${anchor.sequence}, which is older and no shorter, is there`,
    // Of a longer walk the pages do not fit: then its ends are shown, and the witness alone says less.
    witness: [
      world.causeOf(message),
      own.lastBy,
      ...again,
      ...ofAnchor,
      restart,
      ...endsOf(pages, most - again.length - ofAnchor.length),
      heldBy(pages, anchor),
    ],
    decides: covering,
    root: messageRoot(message),
    dependsOn: [messageRoot(message), ...absenceRoots(pages, bytesOf(message))],
    breaks: [messageRoot(message)],
  });
  return true;
}

function nameOf(
  { isFeed }: Stream,
  { restart, isShownAgain }: { readonly restart: Change | undefined; readonly isShownAgain: boolean },
  { history: { facts } }: World,
): readonly [AnomalyName, ClauseId] | undefined {
  if (restart === undefined) {
    const [consumed, gone] = clausesOfGone[isFeed ? 'feed' : 'channel'];
    return ['vanished', isShownAgain ? gone : consumed];
  }
  // What survives a restart is the operator's word alone, and a feed follows from its channels.
  if (isFeed) return undefined;
  return [
    'lost-across-restart',
    facts.isDurable ? 'service.sent-is-readable' : 'channel-read.survives-a-restart',
  ];
}

/** Whom a feed belongs to may have changed for those who are named through a human or a machine. */
function mayHaveChanged({ world, stream, place, walk }: Case): boolean {
  if (!stream.isFeed) return false;
  const id = world.principals.agentOf(place.lastBy.agent) ?? place.lastBy.agentId;
  if (id !== undefined && place.item.message.targets.includes(`agent:${id}`)) return false;
  return mayHaveMoved(world, id, { fromMs: place.knownMs, toMs: walk.endedMs });
}

/**
 * Whether an anchor was retained as long as the pages took, so that none of them lost what is younger to retention that went on
 * meanwhile: it stands on the only one, or was seen again more than the settle time after the last.
 */
function isHeld(pages: readonly Read[], anchor: Place, settleMs: number): boolean {
  const last = pages.at(-1);
  return last !== undefined && (pages.length === 1 || anchor.lastMs > last.endedMs + settleMs);
}

/** What showed it, where several pages had to be read. */
export function heldBy(pages: readonly Read[], anchor: Place): Read | undefined {
  return pages.length === 1 ? undefined : anchor.lastBy;
}

/** As many pages as a witness has room for. */
const most = 3;

/** The first page and the last ones, as many as a witness has room for. */
export function endsOf<T>(pages: readonly T[], count = most): readonly T[] {
  return pages.length <= count ? pages : [...pages.slice(0, 1), ...pages.slice(pages.length + 1 - count)];
}
