import type { ClauseId } from '../../spec/index.ts';
import type { Send } from '../operation.ts';
import { inWords } from '../world/page.ts';
import type { Origin, Sent } from '../world/sent.ts';
import type { Place } from '../world/sight.ts';
import { countWhile, push } from '../world/sorted.ts';
import type { Stream } from '../world/stream.ts';
import { kindOf, pagesFrom, sizeClassOf, walksOf } from '../world/walks.ts';
import type { Walk } from '../world/walks.ts';
import type { World } from '../world/world.ts';
import { clausesOf } from '../anomalies/catalogue.ts';
import type { AnomalyName } from '../anomalies/catalogue.ts';
import { Findings, pageRoot } from '../anomalies/findings.ts';
import { restartBetween } from './identity.ts';
import type { Judge } from './judge.ts';
import { endsOf } from './vanished.ts';

/**
 * An acknowledged message is in a complete walk of its channel, and in those of the feeds of those it names, when an older
 * message of its kind is: one that had been read when it was sent.
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

/** A complete walk that shows a message of some kind which had been known at some time. */
interface Proof {
  readonly walk: Walk;
  readonly anchor: Place;
}

/** For each kind the complete walks that show one, by their begins, and the earliest known anchor of each and all later ones. */
class Proofs {
  readonly #walks = new Map<
    string,
    { readonly begins: readonly number[]; readonly best: readonly Proof[] }
  >();

  constructor(stream: Stream, kindsOf: (kind: string, place: Place) => readonly string[]) {
    const proofs = new Map<string, Proof[]>();
    const complete = walksOf(stream).filter(({ isComplete }) => isComplete);
    for (const walk of complete)
      for (const [kind, { earliest }] of walk.anchors)
        for (const each of kindsOf(kind, earliest)) push(proofs, each, { walk, anchor: earliest });
    for (const [kind, list] of proofs) {
      list.sort((one, other) => one.walk.startedMs - other.walk.startedMs);
      let earliest: Proof | undefined;
      const best = list
        .toReversed()
        .map((proof) => {
          if (earliest === undefined || proof.anchor.knownMs < earliest.anchor.knownMs) earliest = proof;
          return earliest;
        })
        .toReversed();
      this.#walks.set(kind, { begins: list.map(({ walk }) => walk.startedMs), best });
    }
  }

  /** A walk that began after one time and shows what had been known before another. */
  after(kind: string, beganMs: number, knownMs: number): Proof | undefined {
    const walks = this.#walks.get(kind);
    if (walks === undefined) return undefined;
    const { begins, best } = walks;
    const proof = best[countWhile(begins.length, (rank) => (begins[rank] ?? 0) <= beganMs)];
    return proof !== undefined && proof.anchor.knownMs < knownMs ? proof : undefined;
  }
}

function judgeChannels(findings: Findings, world: World): void {
  const { streams, sends } = world;
  const shared = sharedKeys(world);
  const shown = new Map<string, Set<Origin>>();
  const sizes = new Set<string>();
  const proofs = new Map<string, Proofs>();
  for (const stream of streams.values()) {
    if (stream.isFeed) continue;
    const origins = new Set<Origin>();
    for (const place of stream.all) {
      const origin = world.originAt(stream, place);
      if (origin === undefined) continue;
      origins.add(origin);
      sizes.add(sizeClassOf(place.item.message));
    }
    shown.set(stream.name, origins);
  }
  for (const origin of sends.all()) {
    const [sent] = origin.sent;
    if (sent?.ack === undefined || origin.sent.length !== 1 || shared.has(keyOf(sent))) continue;
    if (origin.marker !== undefined && world.contradicted.has(origin.marker)) continue;
    if (!sent.attempts.every(({ isBaseline }) => isBaseline)) continue;
    const stream = streams.get(`channel ${sent.channel}`);
    if (stream === undefined) continue;
    if (shown.get(stream.name)?.has(origin) === true) {
      findings.count('service.sent-is-readable');
      continue;
    }
    let own = proofs.get(stream.name);
    if (own === undefined) proofs.set(stream.name, (own = new Proofs(stream, withAuthor)));
    judgeUnseen(findings, { world, stream, proofs: own, sizes }, sent, sent.ack);
  }
}

/** A kind, and the author alone. */
function withAuthor(kind: string, { item }: Place): readonly string[] {
  return [kind, `author ${item.message.author?.id}`];
}

interface Room {
  readonly world: World;
  readonly stream: Stream;
  readonly proofs: Proofs;
  /** Classes of size that any channel showed of this run. */
  readonly sizes: ReadonlySet<string>;
}

function judgeUnseen(
  findings: Findings,
  { world, stream, proofs, sizes }: Room,
  sent: Sent,
  ack: Send,
): void {
  const { principals, settleMs, history } = world;
  const author = principals.idOf(sent.agent) ?? principals.usualAuthorOf(sent.agent);
  if (author === undefined) return;
  const size = sizeClassOf(sent);
  const settledMs = ack.endedMs + settleMs;
  const alike = proofs.after(kindOf(sent.channel, author, size), settledMs, sent.firstMs);
  const proof =
    alike ?? (sizes.has(size) ? undefined : proofs.after(`author ${author}`, settledMs, sent.firstMs));
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
  const pages = pagesFrom(proof.walk, stream, proof.anchor);
  const [first] = pages;
  const root = `message ${sent.content.marker ?? sent.content.digest}`;
  findings.add({
    name,
    clause,
    expected: `${first === undefined ? stream.name : inWords(first)}: the message of ${sent.content.bytes} bytes that was accepted as ${root}`,
    actual: `it is nowhere, while ${proof.anchor.id} at ${proof.anchor.sequence}, which is older, is there`,
    // Of a longer walk the pages do not fit: then its ends are shown, and the witness alone says less.
    witness: [...witness, proof.anchor.knownBy, ...endsOf(pages)],
    root,
    dependsOn: [root, ...pages.map(pageRoot)],
    breaks: [root],
  });
}

/** Keys under which more than one message was sent: one of them may stand for the others. */
function sharedKeys({ sends }: World): ReadonlySet<string> {
  const known = new Map<string, Sent>();
  const shared = new Set<string>();
  for (const { sent } of sends.all())
    for (const each of sent) {
      if (each.key === undefined) continue;
      if (known.has(each.key)) shared.add(each.key);
      known.set(each.key, each);
    }
  return shared;
}

function keyOf({ key }: Sent): string {
  return key ?? 'no key';
}

/** Every message of a channel that names the reader of a feed, by somebody else. */
function judgeFeeds(findings: Findings, world: World): void {
  const feeds = feedsOf(world);
  if (feeds.size === 0) return;
  for (const stream of world.streams.values()) {
    if (stream.isFeed) continue;
    for (const place of stream.places) {
      const named = new Set(place.item.message.targets.flatMap((target) => feeds.get(target) ?? []));
      for (const feed of named) judgeMention(findings, world, feed, place);
    }
  }
}

/** A feed whose reader is known. */
interface Feed {
  readonly stream: Stream;
  readonly reader: string;
  readonly shown: ReadonlySet<string>;
  readonly proofs: () => Proofs;
}

/** Feeds by the targets that they must match. */
function feedsOf({ streams, principals }: World): ReadonlyMap<string, readonly Feed[]> {
  const feeds = new Map<string, Feed[]>();
  for (const stream of streams.values()) {
    const reader = stream.isFeed ? principals.idOf(stream.name.slice('feed '.length)) : undefined;
    if (reader === undefined) continue;
    let proofs: Proofs | undefined;
    const feed: Feed = {
      stream,
      reader,
      shown: new Set(stream.all.map(({ id }) => id)),
      proofs: () => (proofs ??= new Proofs(stream, (kind) => [kind])),
    };
    const [human, machine] = [principals.humanOf(reader), principals.machineOf(reader)];
    push(feeds, `agent:${reader}`, feed);
    if (human !== undefined) push(feeds, `user:${human}`, feed);
    if (machine !== undefined) push(feeds, `machine:${machine}`, feed);
  }
  return feeds;
}

function judgeMention(findings: Findings, world: World, feed: Feed, place: Place): void {
  const { message } = place.item;
  const origin = world.originOf(message);
  const [sent] = origin?.sent ?? [];
  const author = message.author?.id;
  if (sent?.ack === undefined || origin?.sent.length !== 1 || author === undefined) return;
  if (author === feed.reader || world.principals.mayShareHuman(author, feed.reader)) return;
  const target = matching(world, feed, message.targets);
  if (target === undefined) return;
  const clause = clauseOfTarget(target);
  if (feed.shown.has(place.id)) {
    findings.count(clause);
    return;
  }
  const settledMs = Math.max(sent.ack.endedMs, place.knownMs) + world.settleMs;
  const kind = kindOf(message.channel, author, sizeClassOf(message));
  const proof = feed.proofs().after(kind, settledMs, sent.firstMs);
  if (proof === undefined || mayHaveChanged(world, feed, target, sent, proof)) return;
  if (restartBetween(world, sent.ack.startedMs, proof.walk.startedMs) !== undefined) return;
  addLost(findings, { world, stream: feed.stream, proof }, sent, {
    name: 'mention-lost',
    clause,
    witness: [sent.ack, place.knownBy, world.principals.shownBy(feed.reader)],
  });
}

/** The target that names the reader most directly. */
function matching({ principals }: World, { reader }: Feed, targets: readonly string[]): string | undefined {
  const own = [
    `agent:${reader}`,
    `user:${principals.humanOf(reader)}`,
    `machine:${principals.machineOf(reader)}`,
  ];
  return own.find((target) => targets.includes(target));
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
  const endedMs = walk.reads.at(-1)?.endedMs ?? walk.startedMs;
  return changes.some(
    ({ change, startedMs, endedMs: doneMs }) =>
      change === 'deactivate' && doneMs > firstMs && startedMs < endedMs,
  );
}
