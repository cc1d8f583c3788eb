import type { ClauseId } from '../../spec/index.ts';
import type { Change, Read, Send } from '../operation.ts';
import { leavesOut, mayHaveSeveralTargets, type SeenMessage } from '../seen-message.ts';
import { mayStandTwice, type Stream } from '../world/stream.ts';
import { isOfChannel, type Place, type Showing } from '../world/sight.ts';
import { restartBetween } from '../world/changes.ts';
import { remembered, push } from '../../spec/groups.ts';
import type { World } from '../world/world.ts';
import type { AnomalyName } from '../anomalies/catalogue.ts';
import { differencesOf, hasSent, sentIn, type Difference } from '../world/differences.ts';
import { judgeOf, type Findings, messageRoot } from '../anomalies/findings.ts';

/** One id is one message at one place, one sequence is one message, and every copy of a message is the same. */
export const identity = judgeOf(
  ['inconsistent-offsets', 'sequence-reuse', 'moved', 'mutated', 'left-out', 'feed-channel-disagree'],
  (findings, world) => {
    for (const stream of world.streams.values()) {
      judgeSequences(findings, stream, world);
      judgePlaces(findings, stream, world);
    }
    judgeCopies(findings, world);
  },
);

function judgeSequences(findings: Findings, stream: Stream, world: World): void {
  const { all, isFeed } = stream;
  const restarts = world.changes.some(({ change }) => change === 'restart');
  const clause = isFeed ? 'mentions.sequence-names-one-mention' : 'channel-read.sequence-names-one-message';
  let [again, afterRestarts] = [0, 0];
  all.forEach((place, index) => {
    const next = all[index + 1];
    if (place.lastBy !== place.knownBy) again += 1;
    if (restarts && restartBetween(world, place.knownMs, place.lastMs) !== undefined) afterRestarts += 1;
    if (next === undefined || next.sequence !== place.sequence || isOnOnePage(place, next)) return;
    const [first, later] = place.knownMs <= next.knownMs ? [place, next] : [next, place];
    const restart = restartBetween(world, first.knownMs, later.knownMs);
    findings.add({
      name: restart === undefined ? 'inconsistent-offsets' : 'sequence-reuse',
      clause: restart === undefined || isFeed ? clause : 'channel-read.restart-reuses-no-sequence',
      expected: `${stream.name}: sequence ${place.sequence} to stand for message ${first.id} as before`,
      actual: `it stands for ${later.id}`,
      witness: [world.causeOf(later.item.message) ?? later.knownBy, first.knownBy, restart, later.knownBy],
      root: `${stream.name} at ${place.sequence}`,
      breaks: [messageRoot(first.item.message), messageRoot(later.item.message)],
    });
  });
  findings.count(clause, again);
  if (!isFeed) findings.count('channel-read.restart-reuses-no-sequence', afterRestarts);
}

/** Two messages under one number of one page are what that page shows by itself. */
function isOnOnePage(one: Place, other: Place): boolean {
  const { knownBy } = one;
  return knownBy === other.knownBy;
}

function judgePlaces(findings: Findings, stream: Stream, world: World): void {
  const { all, repeated, isFeed } = stream;
  const clause = isFeed ? 'mention.sequence.immutable' : 'message.id.one-message';
  const several = new Map<string, Place[]>();
  let again = 0;
  for (const place of all) {
    if (repeated.has(place.id)) push(several, place.id, place);
    else if (place.lastBy !== place.knownBy) again += 1;
  }
  for (const [known, ...others] of several.values()) {
    for (const place of others) {
      if (known === undefined || isOnOnePage(known, place)) continue;
      const mayBeTwo = mayStandTwice(place, stream);
      const one = mayBeTwo ? oneTargetBy(known, place) : undefined;
      if (mayBeTwo && one === undefined) continue;
      const [first, later] = known.knownMs <= place.knownMs ? [known, place] : [place, known];
      findings.add({
        name: 'moved',
        clause,
        expected: `${stream.name}: message ${place.id} at sequence ${first.sequence} as before`,
        actual: `it stands at ${later.sequence}`,
        witness: [world.causeOf(place.item.message), first.knownBy, later.knownBy, one],
        root: messageRoot(place.item.message),
        breaks: [messageRoot(place.item.message)],
      });
    }
  }
  findings.count(clause, again);
}

/**
 * A read that shows that a message names one target, where a feed leaves its targets out. Its send does not: of what that names each is
 * kept once, and one named twice counts twice.
 */
function oneTargetBy(...places: readonly Place[]): Read | undefined {
  const shown = places
    .flatMap((place) => [place, ...(place.origin?.places ?? []).filter(({ id }) => id === place.id)])
    .flatMap(({ forms }) => [...forms])
    .filter((each) => isShown(each, 'mentions'));
  if (shown.some(({ item }) => mayHaveSeveralTargets(item.message))) return undefined;
  return shown.find(({ item }) => item.message.targets.length === 1)?.knownBy;
}

function judgeCopies(findings: Findings, world: World): void {
  const first = new Map<string, Showing>();
  const shown: FirstToShow = new Map();
  const changed = new Set<string>();
  const all: Known = { world, readers: new Readers(world), leftOut: new Map() };
  /** By message, what channels came to show of it. */
  const later = new Map<string, Set<SeenMessage>>();
  let [again, inFeeds] = [0, 0];
  // Channels first: a feed is held against what they show.
  const streams = [...world.streams.values()].toSorted(
    (one, other) => Number(one.isFeed) - Number(other.isFeed),
  );
  for (const stream of streams) {
    /** What a feed showed of each message first: it may agree with itself or with the channel alone. */
    const firstHere = new Map<string, Showing>();
    const shownHere: FirstToShow = new Map();
    for (const copy of stream.showings()) {
      const { item, place, knownBy, lastBy } = copy;
      const { message } = item;
      if (lastBy !== knownBy) countChanges(findings, world, message, knownBy, lastBy);
      const known = first.get(place.id);
      const here = firstHere.get(place.id);
      if (stream.isFeed && here === undefined) firstHere.set(place.id, copy);
      if (known === undefined) {
        if (stream.isFeed) judgeId(findings, world, copy);
        first.set(place.id, copy);
        if (lastBy !== knownBy) again += 1;
        continue;
      }
      // What is not compared puts nothing to the test.
      if (changed.size > mostChanged) continue;
      again += 1;
      if (stream.isFeed && !isOfFeed(known)) inFeeds += 1;
      if (!stream.isFeed && known.item.message !== message)
        later.set(place.id, (later.get(place.id) ?? new Set()).add(message));
      // What changes in both views is not what the two disagree about.
      const isOverTime = stream.isFeed && !isOfFeed(known) && later.get(place.id)?.has(message) === true;
      const differsFromKnown = known.item.message !== message && !isOverTime;
      const differsHere = here !== undefined && here !== known && here.item.message !== message;
      if (differsFromKnown && judgeForm(findings, all, [known, shown], copy)) changed.add(place.id);
      if (differsHere && judgeForm(findings, all, [here, shownHere], copy)) changed.add(place.id);
    }
  }
  for (const ofField of all.leftOut.values()) ofField.addTo(findings, world);
  findings.count('message.immutable', again);
  findings.count('message.author.immutable', again);
  findings.count('mentions.feed-agrees-with-channel', inFeeds);
  findings.count('message.optional-fields-in-every-view', inFeeds);
}

/**
 * A message that was sent once has one id, in a feed as in its channel: where it stands at one place there, or where the channel shows no
 * other at the place that the feed names. Else it may have been stored twice, which is another matter.
 */
function judgeId(findings: Findings, world: World, showing: Showing): void {
  const { item, place, knownBy } = showing;
  const { message } = item;
  const { origin } = place;
  const inChannel = origin?.places.find(isOfChannel);
  if (inChannel === undefined || origin?.sent.length !== 1 || origin.sent[0]?.attempts.length !== 1) return;
  const isAtOnePlace = message.sequence === inChannel.sequence;
  const without = isAtOnePlace ? undefined : pageWithout(world, inChannel, showing);
  if (!isAtOnePlace && without === undefined) return;
  findings.add({
    name: 'feed-channel-disagree',
    clause: 'mentions.feed-agrees-with-channel',
    expected: `the id that its channel shows, ${inChannel.id}`,
    actual: String(message.id),
    witness: [world.causeOf(message), inChannel.knownBy, knownBy, without],
    decides: knownBy,
    root: messageRoot(inChannel.item.message),
  });
}

/** A read of a channel that passes over the place which a feed names, long after, and shows an older message. */
function pageWithout(
  { streams, settleMs }: World,
  older: Place,
  { item: { message }, knownMs }: Showing,
): Read | undefined {
  const { sequence = 0 } = message;
  return streams
    .get(older.knownBy.stream)
    ?.pages.find(
      ({ startedMs, reach, places }) =>
        startedMs > knownMs + settleMs &&
        older.sequence < sequence &&
        reach >= sequence &&
        places.includes(older) &&
        !places.some(({ id }) => id === message.id),
    )?.read;
}

/** Once so many messages changed no more are compared: they say nothing new. */
const mostChanged = 10_000;

function isOfFeed({ knownBy }: Showing): boolean {
  return knownBy.call === 'mentions';
}

interface Known {
  readonly world: World;
  readonly readers: Readers;
  /** By the field. */
  readonly leftOut: Map<string, LeftOut>;
}

type Found = Parameters<Findings['add']>[0];

const ofView = { name: 'left-out', clause: 'message.optional-fields-in-every-view' } as const;

/**
 * What one reader was shown with a field that may be left out, and without it. It has changed; but where that field comes and goes, be it
 * in two messages, it is a view that leaves it out now and then, as of two releases behind one address. So may be what was shown once
 * each way. Traffic that is recorded for days sees one release follow another. What other fields do excuses nothing.
 */
class LeftOut {
  readonly #found: Found[] = [];
  /** Whether a field came, and whether one went. */
  readonly #ways = new Set<boolean>();
  #isShownAgain = false;
  #isShownToStay = false;

  add({ isGained }: Difference, found: Found, first: Showing, later: Showing): void {
    const shown = [first, later].flatMap(({ knownBy, lastBy }) => [knownBy, lastBy]);
    this.#found.push({ ...found, witness: [...found.witness, ...shown] });
    this.#ways.add(isGained);
    this.#isShownAgain ||= first.lastMs > later.knownMs;
    this.#isShownToStay ||= [first, later].every(({ knownBy, lastBy }) => lastBy !== knownBy);
  }

  addTo(findings: Findings, { history }: World): void {
    const comesAndGoes = this.#isShownAgain || this.#ways.size > 1;
    const isView = history.facts.isPartial === true || comesAndGoes || !this.#isShownToStay;
    for (const found of this.#found) findings.add(isView ? { ...found, ...ofView } : found);
  }
}

function leftOutOf(known: Map<string, LeftOut>, difference: Difference): LeftOut {
  return remembered(known, partOf(difference), () => new LeftOut());
}

/** The field, and of an author what of it: its host and its session are told by their first words. */
function partOf({ field, was }: Difference): string {
  return field === 'author' ? (was.split(' ', 1)[0] ?? field) : field;
}

/** By message and part, the first form to show what the first of all leaves out. */
type FirstToShow = Map<string, Showing>;

/**
 * Whether a form of a message changed what the first one shows, or what another one was the first to show: where the first of all leaves
 * something out, two others may differ in that, and each differ from it by nothing but what it leaves out.
 */
function judgeForm(
  findings: Findings,
  all: Known,
  [known, shown]: readonly [Showing, FirstToShow],
  copy: Showing,
): boolean {
  let isChanged = judgeCopy(findings, all, known, copy);
  for (const part of ['mentions', 'attachments', 'host', 'session'] as const) {
    if (isShown(known, part) || !isShown(copy, part)) continue;
    const key = `${copy.place.id} ${part}`;
    const before = shown.get(key);
    if (before === undefined) shown.set(key, copy);
    else if (judgeCopy(findings, all, before, copy, part)) isChanged = true;
  }
  return isChanged;
}

/** What an answer need not show of a message. */
type Part = 'mentions' | 'attachments' | 'host' | 'session';

function isShown({ item: { message } }: Showing, part: Part): boolean {
  if (part === 'mentions') return !leavesOut(message, 'targets');
  return part === 'attachments' ? !leavesOut(message, 'files') : message.author?.[part] !== undefined;
}

/** Whether two forms of a message differ in more than what one of them leaves out: in all, or in one part. */
function judgeCopy(
  findings: Findings,
  { world, readers, leftOut }: Known,
  one: Showing,
  other: Showing,
  part?: Part,
): boolean {
  const [first, later] = one.knownMs <= other.knownMs ? [one, other] : [other, one];
  const isAcross = isOfFeed(one) !== isOfFeed(other);
  const { message } = first.item;
  let isChanged = false;
  for (const difference of differencesOf(message, later.item.message)) {
    const { field, isGained } = difference;
    if (part !== undefined && partOf(difference) !== part) continue;
    // A place that changed within a stream is a move.
    if (field === 'sequence' && !isAcross) continue;
    const overwriting = overwritingOf(world, difference, { first, later });
    if (!difference.isLeftOut || overwriting !== undefined) isChanged = true;
    if (overwriting !== undefined) {
      findings.add({
        name: 'mutated',
        clause: 'message.immutable',
        expected: `message ${String(message.id)}: ${field} as shown before, ${difference.was}`,
        actual: `${difference.is}, which a later send under its key named`,
        witness: [world.causeOf(message), first.knownBy, overwriting, later.knownBy],
        decides: later.knownBy,
        root: messageRoot(message),
      });
      continue;
    }
    const cause = world.causeOf(message);
    // Where it is shown at last as it was sent, what came between is not what was wrong.
    const isRighted = !difference.isLeftOut && isSentAs(cause, difference);
    const change = isRighted ? undefined : changeBehind(world, difference, first, later);
    const ofOne = difference.isLeftOut && !isAcross ? readers.byOne(first, later) : undefined;
    const [before, after] = ofOne ?? [first.knownBy, later.knownBy];
    const [name, clause]: readonly [AnomalyName, ClauseId] =
      difference.isLeftOut && ofOne === undefined
        ? [ofView.name, ofView.clause]
        : isAcross
          ? ['feed-channel-disagree', 'mentions.feed-agrees-with-channel']
          : ['mutated', clauseOfChange(field, change)];
    const found = {
      name,
      clause,
      ...wordsOf(message, difference, isRighted),
      witness: isGained ? [cause, after, before] : [cause, before, change, after],
      ...(isRighted ? { decides: before } : {}),
      root: messageRoot(message),
    };
    if (ofOne === undefined) findings.add(found);
    else leftOutOf(leftOut, difference).add(difference, found, first, later);
  }
  return isChanged;
}

/**
 * The send that began once a message had been sent without something, and had that under the key of the message: where the message shows
 * it from then on, no view that leaves things out explains it.
 */
function overwritingOf(
  { causeOf, sends }: World,
  { isGained, is }: Difference,
  { first, later }: { readonly first: Showing; readonly later: Showing },
): Send | undefined {
  if (!isGained) return undefined;
  const cause = causeOf(first.item.message);
  if (cause?.outcome !== 'accepted' || cause.status === 202 || hasSent(cause, is)) return undefined;
  const { key, agent, channel } = cause;
  if (key === undefined) return undefined;
  return sends
    .underKey(key)
    .find(
      (each) =>
        each.agent === agent &&
        each.channel === channel &&
        each.startedMs > cause.endedMs &&
        each.startedMs <= later.knownMs &&
        each.endedMs >= first.knownBy.startedMs &&
        hasSent(each, is),
    );
}

/** Whether the later of two sights shows what was sent, and the earlier one does not. */
function isSentAs(cause: Send | undefined, { field, was, is }: Difference): boolean {
  const sent = cause?.outcome === 'accepted' ? sentIn(cause, field) : undefined;
  return sent === is && sent !== was;
}

/** What is wrong with a message that is shown in two ways; where one of them leaves a field out, or is not what was sent, with that one. */
function wordsOf(
  { id }: SeenMessage,
  { field, was, is, isLeftOut, isGained }: Difference,
  isRighted: boolean,
): Pick<Found, 'expected' | 'actual'> {
  if (isRighted)
    return { expected: `message ${String(id)}: ${field} as sent, and as shown later, ${is}`, actual: was };
  const as = isGained ? `as shown later, ${is}` : `as shown before, ${was}`;
  return { expected: `message ${String(id)}: ${field} ${as}`, actual: isLeftOut ? 'it is left out' : is };
}

/** Whether reads that wait, or begin at no cursor, show a message like others is not stated: they are views of their own. */
function viewOf({ agent, wait, after }: Read): string {
  return `${agent} ${wait === undefined} ${after === undefined}`;
}

/** Who was first shown which form of a message by which read. */
class Readers {
  readonly #streams: World['streams'];
  readonly #known = new Map<string, ReadonlyMap<SeenMessage, ReadonlyMap<string, Read>>>();

  constructor({ streams }: World) {
    this.#streams = streams;
  }

  /** Reads by which somebody was shown a message in both forms: to one reader a view is the same all the time. */
  byOne(one: Showing, other: Showing): readonly [Read, Read] | undefined {
    const others = this.#of(other);
    for (const [view, read] of this.#of(one)) {
      const later = others.get(view);
      if (later !== undefined) return [read, later];
    }
    return undefined;
  }

  #of({ item, knownBy }: Showing): ReadonlyMap<string, Read> {
    return this.#ofStream(knownBy.stream).get(item.message) ?? new Map([[viewOf(knownBy), knownBy]]);
  }

  #ofStream(name: string): ReadonlyMap<SeenMessage, ReadonlyMap<string, Read>> {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const readers = new Map<SeenMessage, Map<string, Read>>();
    this.#known.set(name, readers);
    for (const { read } of this.#streams.get(name)?.pages ?? []) {
      const view = viewOf(read);
      for (const { message } of read.items) {
        const reads = readers.get(message);
        if (reads === undefined) readers.set(message, new Map([[view, read]]));
        else if (!reads.has(view)) reads.set(view, read);
      }
    }
    return readers;
  }
}

/** What shows the same before and after what it names was renamed or deleted. */
function countChanges(
  findings: Findings,
  world: World,
  message: SeenMessage,
  before: Read,
  after: Read,
): void {
  for (const { change, subject, startedMs, endedMs } of world.changes) {
    if (subject === undefined || startedMs <= before.endedMs || endedMs >= after.startedMs) continue;
    if (change === 'file' && message.files.includes(subject)) findings.count('message.attachments.stable');
    if (change !== 'rename') continue;
    const { id, human } = message.author ?? {};
    if (id === subject) findings.count('message.author.captured-at-write');
    if (human?.id === subject) findings.count('human-user.display-name.captured-at-write');
    if (message.targets.some((target) => target.endsWith(subject)))
      findings.count('message.mentions.never-re-resolved');
  }
}

/** The clause that says that a field stays, and after a rename or a deletion the one that says so of those. */
function clauseOfChange(field: Difference['field'], change: Change | undefined): ClauseId {
  const isChanged = change !== undefined;
  switch (field) {
    case 'channel_id':
      return 'message.id.one-message';
    case 'author':
      return 'message.author.immutable';
    case 'author name':
    case 'machine name':
      return isChanged ? 'message.author.captured-at-write' : 'message.author.immutable';
    case 'human name':
      return isChanged ? 'human-user.display-name.captured-at-write' : 'message.author.immutable';
    case 'mentions':
      return isChanged ? 'message.mentions.never-re-resolved' : 'message.immutable';
    case 'attachments':
      return isChanged ? 'message.attachments.stable' : 'message.immutable';
    default:
      return 'message.immutable';
  }
}

/** What was renamed or deleted between two sights of a message, of all that a field of it names. */
function changeBehind(
  { changes }: World,
  { field }: Difference,
  first: Showing,
  later: Showing,
): Change | undefined {
  const kind = field === 'attachments' ? 'file' : 'rename';
  const named = [first, later].flatMap(({ item }) => namedBy(field, item.message));
  return changes.find(
    ({ change, subject, startedMs, endedMs }) =>
      change === kind &&
      endedMs > first.knownBy.startedMs &&
      startedMs < later.knownMs &&
      named.some((id) => subject === undefined || id?.toLowerCase() === subject),
  );
}

/** The ids of what a field shows by its name, or names. */
function namedBy(
  field: Difference['field'],
  { author, targets, files }: SeenMessage,
): readonly (string | undefined)[] {
  switch (field) {
    case 'author name':
      return [author?.id];
    case 'human name':
      return [author?.human?.id];
    case 'machine name':
      return [author?.machine?.id];
    case 'mentions':
      return ['', ...targets.map((target) => target.slice(target.indexOf(':') + 1))];
    case 'attachments':
      return ['', ...files];
    default:
      return [];
  }
}
