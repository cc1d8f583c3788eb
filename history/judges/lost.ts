import type { ClauseId } from '../../spec/index.ts';
import type { Send } from '../operation.ts';
import { inWords } from '../world/page.ts';
import type { Origin, Sent } from '../world/origin.ts';
import { Proofs } from '../world/proofs.ts';
import type { Proof } from '../world/proofs.ts';
import { ackOf, targetsAt, targetsShownBy } from '../world/sight.ts';
import type { TargetName } from '../seen-message.ts';
import type { Place } from '../world/sight.ts';
import { countWhile, push } from '../world/sorted.ts';
import type { Stream } from '../world/stream.ts';
import {
  bytesAt,
  classOf,
  kindInFeeds,
  kindAt,
  kindOf,
  leastKeptMs,
  readsFrom,
  walksOf,
} from '../world/walks.ts';
import type { World } from '../world/world.ts';
import { clausesOf } from '../anomalies/catalogue.ts';
import type { AnomalyName } from '../anomalies/catalogue.ts';
import { Findings, pageRoot } from '../anomalies/findings.ts';
import { restartBetween } from './identity.ts';
import type { Judge } from './judge.ts';
import { endsOf, heldBy, isHeld } from './vanished.ts';

/**
 * An acknowledged message is in a complete walk of its channel, and in those of the feeds of those it names, when an older
 * message of its kind is that is no shorter: one that had been read when it was sent. What goes first is left open by the contract; what
 * this rests on is in docs/decisions/reading-streams.md. A `Sent` is all attempts with one key and content, its `ack` the first that was
 * accepted; an `Origin` is every `Sent` that a message may come from, and `stores` says what of an attempt a message shows.
 */
export const lost: Judge = {
  name: 'lost',
  clauses: clausesOf('lost-write', 'silent-drop', 'lost-across-restart', 'mention-lost'),
  judge: (world: World) => {
    const findings = new Findings();
    judgeChannels(findings, world);
    judgeFeeds(findings, world);
    return findings.judged;
  },
};

/** A send that was acknowledged, and shows nowhere. */
interface Unseen {
  readonly sent: Sent;
  readonly ack: Send;
}

function judgeChannels(findings: Findings, world: World): void {
  const { settleMs } = world;
  const allUnseen = unseenIn(findings, world);
  if (allUnseen.size === 0) return;
  const classes = classesShown(world);
  for (const [stream, unseen] of allUnseen) {
    const fromMs =
      settleMs + unseen.reduce((least, { ack }) => Math.min(least, ack.endedMs), Number.MAX_VALUE);
    const proofs = new Proofs(stream, { fromMs, settleMs: world.settleMs }, kindAt);
    for (const { sent, ack } of unseen) judgeUnseen(findings, { world, stream, proofs, classes }, sent, ack);
  }
}

/** Classes of messages that any channel showed of this run. */
function classesShown({ streams }: World): ReadonlySet<string> {
  const classes = new Set<string>();
  for (const { all, isFeed } of streams.values())
    if (!isFeed)
      for (const place of all)
        if (place.origin !== undefined)
          classes.add(classOf(place.item.message.content?.bytes, targetsAt(place) ?? []));
  return classes;
}

/** The acknowledged sends that their channels never showed. */
function unseenIn(findings: Findings, world: World): ReadonlyMap<Stream, readonly Unseen[]> {
  // One of several messages that were sent under one key may stand for the others.
  const sharing = new Set(world.sends.sharingKeys.flat());
  const unseen = new Map<Stream, Unseen[]>();
  const channels = new Map([...world.streams.values()].map((stream) => [stream.channel, stream]));
  let shown = 0;
  for (const origin of world.sends.all()) {
    const [sent] = origin.sent;
    if (sent?.ack === undefined || origin.sent.length !== 1 || sharing.has(sent)) continue;
    if (world.contradicted.has(origin.marker ?? '')) continue;
    if (!sent.attempts.every(({ stores }) => stores === 'all')) continue;
    const stream = channels.get(sent.channel);
    if (stream === undefined) continue;
    const isShown =
      origin.place?.knownBy.stream === stream.name ||
      world.unmarked.has(origin) ||
      origin.places.some(({ knownBy }) => knownBy.stream === stream.name);
    if (isShown) shown += 1;
    else push(unseen, stream, { sent, ack: sent.ack });
  }
  findings.count('service.sent-is-readable', shown);
  return unseen;
}

/**
 * A complete walk soon after, at which an older message of the author in the same channel was there: hardly a server keeps any size for
 * a shorter time. What is read only later may be gone, if its size is one that goes first.
 */
function soonAfter(
  stream: Stream,
  author: string | undefined,
  { channel, firstMs, ack }: Sent,
  fromMs: number,
  settleMs: number,
): Proof | undefined {
  const untilMs = (ack?.endedMs ?? 0) + leastKeptMs(settleMs);
  const walks = walksOf(stream);
  const first = countWhile(walks.length, (rank) => (walks[rank]?.startedMs ?? 0) <= fromMs);
  for (const walk of walks.slice(first)) {
    if (walk.startedMs > untilMs) break;
    const anchor = walk.pages
      .flatMap(({ places }) => places)
      .find(
        ({ item: { message }, knownMs }) =>
          message.author?.id === author && message.channel === channel && knownMs < firstMs,
      );
    if (walk.isComplete && anchor !== undefined && isHeld(readsFrom(walk, anchor), anchor, settleMs))
      return { walk, anchor };
  }
  return undefined;
}

interface Room {
  readonly world: World;
  readonly stream: Stream;
  readonly proofs: Proofs;
  /** Classes of messages that any channel showed of this run. */
  readonly classes: ReadonlySet<string>;
}

function judgeUnseen(
  findings: Findings,
  { world, stream, proofs, classes }: Room,
  sent: Sent,
  ack: Send,
): void {
  const { principals, settleMs, history } = world;
  const author = principals.idOf(sent.agent) ?? principals.usualAuthorOf(sent.agent);
  if (author === undefined) return;
  const ofClass = classOf(sent.content.bytes, ack.targets);
  const settledMs = ack.endedMs + settleMs;
  const alike = proofs.after(kindOf(sent.channel, author, ofClass), settledMs, {
    knownMs: sent.firstMs,
    bytes: sent.content.bytes,
  });
  const proof =
    alike ?? (classes.has(ofClass) ? undefined : soonAfter(stream, author, sent, settledMs, settleMs));
  if (proof === undefined) return;
  const restart = restartBetween(world, ack.startedMs, proof.walk.startedMs);
  const isPromised = restart === undefined || history.facts.isDurable;
  const name: AnomalyName =
    restart !== undefined ? 'lost-across-restart' : alike === undefined ? 'silent-drop' : 'lost-write';
  addLost(findings, { world, stream, proof }, sent, {
    name,
    clause: isPromised ? 'service.sent-is-readable' : 'channel-read.survives-a-restart',
    witness: [ack, restart, authorShownBy(world, sent, proof)],
  });
}

/** What shows whose message it was: an answer that named the agent, or its older message. */
function authorShownBy({ principals, causeOf }: World, { agent }: Sent, { anchor }: Proof) {
  const [named] = principals.idsOf(agent).values();
  return principals.idOf(agent) === undefined ? causeOf(anchor.item.message) : named;
}

function addLost(
  findings: Findings,
  { stream, proof }: { readonly world: World; readonly stream: Stream; readonly proof: Proof },
  sent: Sent,
  { name, clause, witness }: Pick<Parameters<Findings['add']>[0], 'name' | 'clause' | 'witness'>,
): void {
  const pages = readsFrom(proof.walk, proof.anchor);
  const [first] = pages;
  const root = `message ${sent.content.marker ?? sent.content.digest}`;
  findings.add({
    name,
    clause,
    expected: `${first === undefined ? stream.name : inWords(first)}: the message of ${sent.content.bytes} bytes that was accepted as ${root}`,
    actual: `it is nowhere, while ${proof.anchor.id} at ${proof.anchor.sequence}, which is older, is there`,
    // Of a longer walk the pages do not fit: then its ends are shown, and the witness alone says less.
    witness: [...witness, proof.anchor.knownBy, ...endsOf(pages), heldBy(pages, proof.anchor)],
    root,
    dependsOn: [root, ...pages.map(pageRoot)],
    breaks: [root],
  });
}

/** A message of a channel that names the reader of a feed, by somebody else, and is not in that feed. */
interface Unlisted {
  readonly feed: Feed;
  readonly place: Place;
  /** Whom it names, among them the reader. */
  readonly targets: readonly TargetName[];
  readonly sent: Sent;
  readonly ack: Send;
  readonly target: TargetName;
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
  for (const [stream, list] of unlisted) {
    const fromMs = list.reduce((least, { settledMs }) => Math.min(least, settledMs), Number.MAX_VALUE);
    const { reader = '' } = list[0]?.feed ?? {};
    const proofs = new Proofs(
      stream,
      { fromMs, settleMs: world.settleMs },
      ({ item }) => kindInFeeds(item.message),
      (place) => listedThrough(targetsAt(place), reader),
    );
    for (const each of list) judgeUnlisted(findings, world, each, { proofs, naming });
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

/** The messages of channels that name each target, or may do so since nobody knows whom they name. */
class Naming {
  readonly #places = new Map<TargetName, Place[]>();
  readonly #unknown: Place[] = [];

  add(place: Place, targets: readonly TargetName[] | undefined): void {
    if (targets === undefined) this.#unknown.push(place);
    else for (const target of targets) push(this.#places, target, place);
  }

  /** Whether a message was the last that named a target when a walk ended: others were there before it was sent, or were sent later. */
  isLast(target: TargetName, { place, sent }: Unlisted, { walk }: Proof): boolean {
    const isBefore = (other: Place): boolean =>
      other.knownBy.stream === place.knownBy.stream
        ? other.sequence <= place.sequence
        : knownMsOf(other) < sent.firstMs;
    const isAfter = ({ origin }: Place): boolean =>
      origin?.sent.every(({ firstMs }) => firstMs > walk.endedMs) ?? false;
    const isPassedBy = (other: Place): boolean => isBefore(other) || isAfter(other);
    return (this.#places.get(target) ?? []).every(isPassedBy) && this.#unknown.every(isPassedBy);
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
  if (author === feed.reader || world.principals.mayShareHuman(author, feed.reader)) return undefined;
  const target = feed.targets.find((each) => targets.includes(each));
  if (target === undefined) return undefined;
  if (feed.shown.has(place.id) || isShownAsAnother(feed, origin)) {
    findings.count(clauseOfTarget(target));
    return undefined;
  }
  const settledMs = Math.max(sent.ack.endedMs, place.knownMs) + world.settleMs;
  return { ...named, sent, ack: sent.ack, target, settledMs };
}

function judgeUnlisted(
  findings: Findings,
  world: World,
  each: Unlisted,
  { proofs, naming }: { readonly proofs: Proofs; readonly naming: Naming },
): void {
  const { feed, place, targets, sent, ack, target, settledMs } = each;
  const { message } = place.item;
  const alike = proofs.after(kindInFeeds(message), settledMs, {
    knownMs: sent.firstMs,
    bytes: bytesAt(place),
    names: listedThrough(targets, feed.reader) ?? [],
  });
  // The last that names a target is kept the longest.
  const soon = alike ?? soonAfter(feed.stream, message.author?.id, sent, settledMs, world.settleMs);
  const isLast = (own: string): boolean =>
    soon !== undefined && targets.includes(own) && naming.isLast(own, each, soon);
  const proof = alike ?? (feed.targets.some(isLast) ? soon : undefined);
  if (proof === undefined || mayHaveChanged(world, feed, target, sent, proof)) return;
  if (restartBetween(world, ack.startedMs, proof.walk.startedMs) !== undefined) return;
  addLost(findings, { world, stream: feed.stream, proof }, sent, {
    name: 'mention-lost',
    clause: clauseOfTarget(target),
    witness: [ack, place.knownBy, world.principals.shownBy(feed.reader), ...targetsShownBy(proof.anchor)],
  });
}

function clauseOfTarget(target: string): ClauseId {
  if (target.startsWith('user:')) return 'mentions.matches-human-target';
  return target.startsWith('machine:') ? 'mentions.matches-machine-target' : 'mentions.matches-agent-target';
}

/** Whom a feed belongs to may have changed for those who are named through a human or a machine. */
function mayHaveChanged(
  { changes }: World,
  { reader }: Feed,
  target: string,
  { firstMs }: Sent,
  { walk }: Proof,
): boolean {
  if (target === `agent:${reader}`) return false;
  return changes.some(
    ({ change, startedMs, endedMs }) =>
      change === 'deactivate' && endedMs > firstMs && startedMs < walk.endedMs,
  );
}
