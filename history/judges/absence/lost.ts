import type { Send } from '../../operation.ts';
import type { Sent } from '../../world/origin.ts';
import { Proofs, type Proof } from '../../world/proofs.ts';
import { besidesShownBy, filesAt, type Place, targetsAt } from '../../world/sight.ts';
import { push } from '../../../spec/groups.ts';
import type { Stream } from '../../world/stream.ts';
import { bytesAt, classOf, kindAt, kindOf } from '../../world/walks.ts';
import { restartBetween } from '../../world/changes.ts';
import type { World } from '../../world/world.ts';
import type { AnomalyName } from '../../anomalies/catalogue.ts';
import { judgeOf, type Findings } from '../../anomalies/findings.ts';
import { addDropped, addLost, readsOfNothing, readWithout, soonAfter } from './absent.ts';

/**
 * An acknowledged message is in a complete walk of its channel when an older message of its kind is that is no shorter: one that had been
 * read when it was sent. What goes first is left open by the contract; what this rests on is in docs/decisions/reading-streams.md. A `Sent`
 * is all attempts with one key and content, its `ack` the first that was accepted; an `Origin` is every `Sent` that a message may come from,
 * and `stores` says what of an attempt a message shows.
 */
export const lost = judgeOf(['lost-write', 'silent-drop', 'lost-across-restart'], judgeChannels);

/** A send that was acknowledged, and shows nowhere. */
interface Unseen {
  readonly sent: Sent;
  readonly ack: Send;
}

function judgeChannels(findings: Findings, world: World): void {
  const { settleMs, history } = world;
  // Others may have restarted the server of recorded traffic, and what it had taken just before that may be gone.
  if (history.facts.isPartial === true) return;
  const allUnseen = unseenIn(findings, world);
  if (allUnseen.size === 0) return;
  const classes = classesShown(world);
  for (const [stream, unseen] of allUnseen) {
    const fromMs =
      settleMs + unseen.reduce((least, { ack }) => Math.min(least, ack.endedMs), Number.MAX_VALUE);
    const proofs = new Proofs(stream, { fromMs, settleMs: world.settleMs }, kindAt);
    for (const { sent, ack } of unseen) judgeUnseen(findings, { world, stream, proofs, classes }, sent, ack);
    judgeEmpty(findings, { world, stream }, unseen);
  }
}

/** A channel that takes messages and stays empty for who sent them. */
function judgeEmpty(
  findings: Findings,
  { world, stream }: Pick<Room, 'world' | 'stream'>,
  unseen: readonly Unseen[],
): void {
  const nothing = readsOfNothing(world, stream);
  if (nothing.length === 0 || !canBeRead(world)) return;
  for (const { sent, ack } of unseen) {
    const { agent } = sent;
    const awaited = { sent, ack, agent, reader: world.principals.agentOf(agent) };
    const read = readWithout(world, stream, nothing, awaited);
    if (read === undefined) continue;
    const restart = restartBetween(world, ack.startedMs, read.startedMs);
    if (restart !== undefined && !world.history.facts.isDurable) continue;
    const witness = [ack, restart];
    addDropped(findings, read, sent, { name: 'silent-drop', clause: 'service.sent-is-readable', witness });
    return;
  }
}

/** Whether pages of channels are of a form that can be read: where none ever shows anything, and some go on, what they hold is not known. */
function canBeRead({ streams }: World): boolean {
  const channels = [...streams.values()].filter(({ isFeed }) => !isFeed);
  if (channels.some(({ all }) => all.length > 0)) return true;
  return !channels.some(({ pages }) => pages.some(({ after = 0, nextAfter = 0 }) => nextAfter > after));
}

/** Classes of messages that any channel showed of this run. */
function classesShown({ streams }: World): ReadonlySet<string> {
  const classes = new Set<string>();
  for (const { all, isFeed } of streams.values())
    if (!isFeed) for (const place of all) if (place.origin !== undefined) classes.add(classAt(place));
  return classes;
}

function classAt(place: Place): string {
  const { content } = place.item.message;
  return classOf(content?.bytes, { targets: targetsAt(place) ?? [], files: filesAt(place) });
}

/** The acknowledged sends that their channels never showed. */
function unseenIn(findings: Findings, world: World): ReadonlyMap<Stream, readonly Unseen[]> {
  // One of several messages that were sent under one key may stand for the others.
  const sharing = new Set(world.sends.sharingKeys.flat());
  const unseen = new Map<Stream, Unseen[]>();
  const channels = new Map([...world.streams.values()].map((stream) => [stream.channel, stream]));
  const texts = new Texts();
  let shown = 0;
  for (const origin of world.sends.all()) {
    const [sent] = origin.sent;
    if (sent?.ack === undefined || origin.sent.length !== 1 || sharing.has(sent)) continue;
    if (world.contradicted.has(origin.marker ?? '')) continue;
    if (!sent.attempts.every(({ stores }) => stores === 'all')) continue;
    const stream = channels.get(sent.channel);
    if (stream === undefined) continue;
    // Of several of one text without a marker nobody knows which one stands there.
    const isTextOwn = origin.marker !== undefined;
    const isShown =
      origin.place?.knownBy.stream === stream.name ||
      world.unmarked.has(origin) ||
      origin.places.some(({ knownBy }) => knownBy.stream === stream.name) ||
      (isTextOwn && texts.isIn(stream, sent.content.digest));
    if (isShown) shown += 1;
    else push(unseen, stream, { sent, ack: sent.ack });
  }
  findings.count('service.sent-is-readable', shown);
  return unseen;
}

/** The texts that a channel shows, which tell a message that stands beside another author. */
class Texts {
  readonly #byStream = new Map<Stream, ReadonlySet<string | undefined>>();

  isIn(stream: Stream, digest: string): boolean {
    const shown =
      this.#byStream.get(stream) ?? new Set(stream.all.map(({ item }) => item.message.content?.digest));
    this.#byStream.set(stream, shown);
    return shown.has(digest);
  }
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
  const ofClass = classOf(sent.content.bytes, ack);
  const settledMs = ack.endedMs + settleMs;
  const alike = proofs.after(kindOf(sent.channel, author, ofClass), settledMs, {
    knownMs: sent.firstMs,
    bytes: sent.content.bytes,
  });
  const proof =
    alike ?? (classes.has(ofClass) ? undefined : soonAfter(stream, author, sent, settledMs, settleMs));
  if (proof === undefined || (alike === undefined && isReplaced(sent, proof))) return;
  const restart = restartBetween(world, ack.startedMs, proof.walk.startedMs);
  const isPromised = restart === undefined || history.facts.isDurable;
  const name: AnomalyName =
    restart !== undefined ? 'lost-across-restart' : alike === undefined ? 'silent-drop' : 'lost-write';
  addLost(findings, { stream, proof }, sent, {
    name,
    clause: isPromised ? 'service.sent-is-readable' : 'channel-read.survives-a-restart',
    witness: [
      ack,
      restart,
      authorShownBy(world, sent, proof),
      ...(filesAt(proof.anchor).length > 0 ? besidesShownBy(proof.anchor) : []),
    ],
  });
}

/** Whether newer messages that are as long together may have taken the place of one. */
function isReplaced({ firstMs, content }: Sent, { walk }: Proof): boolean {
  const newer = walk.last.places.filter(({ knownMs }) => knownMs >= firstMs);
  return newer.reduce((sum, place) => sum + bytesAt(place), 0) >= content.bytes;
}

/** What shows whose message it was: an answer that named the agent, or its older message. */
function authorShownBy({ principals, causeOf }: World, { agent }: Sent, { anchor }: Proof) {
  const [named] = principals.idsOf(agent).values();
  return principals.idOf(agent) === undefined ? causeOf(anchor.item.message) : named;
}
