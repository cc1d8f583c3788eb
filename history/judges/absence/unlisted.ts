import { judgeOf, type Findings } from '../../anomalies/findings.ts';
import type { Send } from '../../operation.ts';
import { leavesOut, type TargetName } from '../../seen-message.ts';
import type { ClauseId } from '../../../spec/index.ts';
import type { Origin, Sent } from '../../world/origin.ts';
import { Proofs, type Proof } from '../../world/proofs.ts';
import { ackOf, besidesShownBy, targetsAt, type Place } from '../../world/sight.ts';
import { push } from '../../../spec/groups.ts';
import type { Stream } from '../../world/stream.ts';
import { bytesAt, kindInFeeds, leastKeptOfTarget } from '../../world/walks.ts';
import { mayBeOut, mayHaveMoved, restartBetween } from '../../world/changes.ts';
import type { World } from '../../world/world.ts';
import { addDropped, addLost, readsOfNothing, readWithout, soonAfter } from './absent.ts';

/**
 * A message of a channel that names the reader of a feed is in the complete walks of that feed, when an older message is that names nobody
 * else of those by whom the feed lists, and is no shorter; or soon after it was sent, when it is among the last that name a target.
 */
export const unlisted = judgeOf(['mention-lost'], judgeFeeds);

/** A message of a channel that names the reader of a feed, by somebody else, and is not in that feed. */
interface Unlisted {
  readonly feed: Feed;
  readonly place: Place;
  /** Whom it names, among them the reader. */
  readonly targets: readonly TargetName[];
  readonly sent: Sent;
  readonly ack: Send;
  readonly target: TargetName;
  readonly clause: ClauseId;
  readonly settledMs: number;
}

function judgeFeeds(findings: Findings, world: World): void {
  const feeds = feedsOf(world);
  if (feeds.size === 0) return;
  const unlisted = new Map<Stream, Unlisted[]>();
  const naming = new Naming();
  for (const stream of world.streams.values()) {
    if (stream.isFeed) continue;
    for (const place of stream.places) {
      const targets = targetsAt(place);
      if (targets?.length === 0) continue;
      naming.add(place, targets);
      for (const feed of new Set(targets?.flatMap((target) => feeds.get(target) ?? []))) {
        const each = unlistedIn(findings, world, { feed, place, targets: targets ?? [] });
        if (each !== undefined) push(unlisted, feed.stream, each);
      }
    }
  }
  if (unlisted.size > 0) addListedAlone(naming, world);
  for (const [stream, list] of unlisted) {
    const fromMs = list.reduce((least, { settledMs }) => Math.min(least, settledMs), Number.MAX_VALUE);
    const { reader = '' } = list[0]?.feed ?? {};
    const proofs = new Proofs(stream, { fromMs, settleMs: world.settleMs }, kindInFeeds, (place) =>
      listedThrough(targetsAt(place), reader),
    );
    for (const each of list) judgeUnlisted(findings, world, each, { proofs, naming });
    judgeEmpty(findings, world, stream, list);
  }
}

/** What only feeds show names somebody, too. */
function addListedAlone(naming: Naming, { streams }: World): void {
  const all = [...streams.values()];
  const known = new Set(all.flatMap(({ isFeed, all: places }) => (isFeed ? [] : places.map(({ id }) => id))));
  for (const { isFeed, all: places } of all)
    for (const place of isFeed ? places : []) {
      if (known.has(place.id)) continue;
      known.add(place.id);
      naming.add(place, targetsAt(place));
    }
}

/**
 * The targets through which a feed may list a message. Mentions may be kept for each of them by itself, so that a message says nothing of
 * another that does not have them all.
 */
function listedThrough(
  targets: readonly TargetName[] | undefined,
  reader: string,
): readonly TargetName[] | undefined {
  return targets?.filter((each) => !each.startsWith('agent:') || each === `agent:${reader}`);
}

/** The messages that name each target, or may do so since nobody knows whom they name. */
class Naming {
  readonly #places = new Map<TargetName, Place[]>();
  readonly #unknown: Place[] = [];

  add(place: Place, targets: readonly TargetName[] | undefined): void {
    if (targets === undefined) this.#unknown.push(place);
    else for (const target of targets) push(this.#places, target, place);
  }

  /** Whether a message was among the last that named a target when a walk ended: others were there before it was sent, or were sent later. */
  isAmongTheLast(target: TargetName, { place, sent }: Unlisted, { walk }: Proof): boolean {
    const isBefore = (other: Place): boolean =>
      other.knownBy.stream === place.knownBy.stream
        ? other.sequence <= place.sequence
        : knownMsOf(other) < sent.firstMs;
    const isAfter = ({ origin }: Place): boolean =>
      origin?.sent.every(({ firstMs }) => firstMs > walk.endedMs) ?? false;
    const isPassedBy = (other: Place): boolean => isBefore(other) || isAfter(other);
    let later = 0;
    // Mostly many are: the first few of them decide.
    for (const named of [this.#places.get(target) ?? [], this.#unknown])
      for (let at = named.length - 1; at >= 0; at -= 1) {
        const other = named[at];
        if (other === undefined || isPassedBy(other)) continue;
        later += 1;
        // What does not show whom it names would need its send beside it to tell.
        if (later >= leastKeptOfTarget || leavesOut(other.item.message, 'targets')) return false;
      }
    return true;
  }
}

/** When a message was surely there. */
function knownMsOf(place: Place): number {
  return Math.min(place.knownMs, ackOf(place)?.endedMs ?? place.knownMs);
}

/** A feed whose reader is known. */
interface Feed {
  readonly stream: Stream;
  readonly reader: string;
  /** What names its reader, the most direct name first. */
  readonly targets: readonly string[];
  /** Ids of all messages that it ever listed. */
  readonly shown: ReadonlySet<string>;
}

/** Whether a feed shows a message under another id than its channel, which is a fault of its own. */
function isShownAsAnother({ stream }: Feed, { places }: Origin): boolean {
  return places.some(({ knownBy }) => knownBy.stream === stream.name);
}

/** Feeds by the targets that they must match. */
function feedsOf({ streams, principals }: World): ReadonlyMap<string, readonly Feed[]> {
  const feeds = new Map<string, Feed[]>();
  for (const stream of streams.values()) {
    const reader = stream.isFeed ? principals.idOf(stream.name.slice('feed '.length)) : undefined;
    if (reader === undefined) continue;
    const [human, machine] = [principals.humanOf(reader), principals.machineOf(reader)];
    const targets = [
      `agent:${reader}`,
      ...(human === undefined ? [] : [`user:${human}`]),
      ...(machine === undefined ? [] : [`machine:${machine}`]),
    ];
    const feed: Feed = { stream, reader, targets, shown: new Set(stream.all.map(({ id }) => id)) };
    for (const target of targets) push(feeds, target, feed);
  }
  return feeds;
}

function unlistedIn(
  findings: Findings,
  world: World,
  named: Pick<Unlisted, 'feed' | 'place' | 'targets'>,
): Unlisted | undefined {
  const { feed, place, targets } = named;
  const { origin } = place;
  const { message } = place.item;
  const [sent] = origin?.sent ?? [];
  const author = message.author?.id;
  if (sent?.ack === undefined || origin?.sent.length !== 1 || author === undefined) return undefined;
  if (author === feed.reader) return undefined;
  const target = feed.targets.find((each) => targets.includes(each));
  // A human or a machine that was not available at some time may not have been when the feed was read.
  if (target === undefined || world.principals.mayLack(feed.reader, target)) return undefined;
  // What was sent to somebody who was out of use may have been taken without that target.
  const taken = { startedMs: sent.firstMs, endedMs: sent.ack.endedMs };
  const id = target.slice(target.indexOf(':') + 1);
  if (leavesOut(message, 'targets') && mayBeOut(world, id, taken)) return undefined;
  const clause = clauseOf(target, world.principals.mayShareOwner(author, feed.reader));
  if (clause === undefined) return undefined;
  if (feed.shown.has(place.id) || isShownAsAnother(feed, origin)) {
    findings.count(clause);
    return undefined;
  }
  const settledMs = Math.max(sent.ack.endedMs, place.knownMs) + world.settleMs;
  return { ...named, sent, ack: sent.ack, target, clause, settledMs };
}

function judgeUnlisted(
  findings: Findings,
  world: World,
  each: Unlisted,
  { proofs, naming }: { readonly proofs: Proofs; readonly naming: Naming },
): void {
  const { feed, place, targets, sent, ack, target, clause, settledMs } = each;
  const { message } = place.item;
  const alike = proofs.after(kindInFeeds(place), settledMs, {
    knownMs: sent.firstMs,
    bytes: bytesAt(place),
    names: listedThrough(targets, feed.reader) ?? [],
  });
  // The last that name a target are kept the longest.
  const soon = alike ?? soonAfter(feed.stream, message.author?.id, sent, settledMs, world.settleMs);
  const isKept = (own: string): boolean =>
    soon !== undefined && targets.includes(own) && naming.isAmongTheLast(own, each, soon);
  const proof = alike ?? (feed.targets.some(isKept) ? soon : undefined);
  if (proof === undefined) return;
  const span = { fromMs: sent.firstMs, toMs: proof.walk.endedMs };
  if (target !== `agent:${feed.reader}` && mayHaveMoved(world, feed.reader, span)) return;
  if (restartBetween(world, ack.startedMs, proof.walk.startedMs) !== undefined) return;
  // Who stands behind its reader decides nothing between those who may share somebody.
  const ofReader = clause === 'mentions.peers-reach-each-other' ? [] : world.principals.shownBy(feed.reader);
  addLost(findings, { stream: feed.stream, proof }, sent, {
    name: 'mention-lost',
    clause,
    witness: [ack, place.knownBy, ...ofReader, ...besidesShownBy(proof.anchor)],
  });
}

/** A feed that stays empty though messages name its reader: as they show, or else as they were sent, where any feed lists anything. */
function judgeEmpty(findings: Findings, world: World, stream: Stream, unlisted: readonly Unlisted[]): void {
  const nothing = readsOfNothing(world, stream);
  if (nothing.length === 0) return;
  const agent = stream.name.slice('feed '.length);
  const hasEffect = [...world.streams.values()].some(({ isFeed, all }) => isFeed && all.length > 0);
  for (const { feed, place, sent, ack, clause } of unlisted) {
    const { reader } = feed;
    // How a send names somebody is not shown: it may have named nobody.
    if (!hasEffect && leavesOut(place.item.message, 'targets')) continue;
    const read = readWithout(world, stream, nothing, { sent, ack, agent, reader });
    if (read === undefined || !hasSpoken(world, reader, place)) continue;
    if (restartBetween(world, ack.startedMs, read.startedMs) !== undefined) continue;
    const witness = [ack, place.knownBy, ...world.principals.shownBy(reader)];
    addDropped(findings, read, sent, { name: 'mention-lost', clause, witness });
    return;
  }
}

/** Whether a reader wrote where a message stands: that a feed spans channels which it has not joined is a matter of its own. */
function hasSpoken({ streams }: World, reader: string, { knownBy }: Place): boolean {
  return streams.get(knownBy.stream)?.all.some(({ item }) => item.message.author?.id === reader) ?? false;
}

/**
 * That agents who share a human or a machine are several authors is not said in so many words; what names the human or the machine that
 * both may have can count as self-authored, and has no clause.
 */
function clauseOf(target: TargetName, maySharePrincipal: boolean): ClauseId | undefined {
  if (maySharePrincipal) return target.startsWith('agent:') ? 'mentions.peers-reach-each-other' : undefined;
  if (target.startsWith('user:')) return 'mentions.matches-human-target';
  return target.startsWith('machine:') ? 'mentions.matches-machine-target' : 'mentions.matches-agent-target';
}
