import type { Read, Send } from '../operation.ts';
import { mayBeStored, type Origin, type Sent } from '../world/origin.ts';
import { isOfChannel } from '../world/sight.ts';
import { grouped, remembered, push } from '../../spec/groups.ts';
import { Spans } from '../world/sorted.ts';
import { restartBetween } from '../world/changes.ts';
import type { World } from '../world/world.ts';
import { shortestKeyLifeMs } from '../../spec/oracles/messages/idempotency.ts';
import { judgeOf, type Findings, type Finding } from '../anomalies/findings.ts';

/** One message for a send, however often it is repeated under its key; and a key serves one message. */
export const keys = judgeOf(
  ['duplicate', 'conflict-accepted', 'conflict-concurrent-double', 'replay-conflict'],
  (findings, world) => {
    const { sharingKeys } = world.sends;
    const kept = new Kept(world, sharingKeys);
    const sharing = new Map(
      sharingKeys.map((group) => [group[0]?.key, group.flatMap(({ attempts }) => attempts)]),
    );
    for (const origin of world.sends.all()) {
      judgeCopies(findings, origin, kept);
      if (origin.isPlain) continue;
      for (const sent of origin.sent)
        judgeReplay(findings, sent, { world, origin, underKey: sharing.get(sent.key) ?? sent.attempts });
    }
    const groups = sharingKeys.flatMap(scopesOf);
    if (groups.length === 0) return;
    const following = followingOf(world);
    for (const group of groups) judgeKey(findings, group, { following, world, kept });
  },
);

/** Sends of one key by agent and channel; whether a key counts beyond these is left open. */
function scopesOf(group: readonly Sent[]): readonly (readonly Sent[])[] {
  const scopes = grouped(group, (sent) => `${sent.agent} ${sent.channel}`);
  return [...scopes.values()].filter(({ length }) => length > 1);
}

/** As many messages as sends; refused ones leave none, and one that was repeated when its key may have been forgotten any number. */
function judgeCopies(
  findings: Findings,
  { marker, sent, places: all, hasRefused }: Origin,
  kept: Kept,
): void {
  // What a feed shows under another id than the channel is no second message.
  const inChannels = all.filter(isOfChannel);
  const places = inChannels.length > 0 ? inChannels : all;
  const [first] = places;
  if (marker === undefined || first === undefined) return;
  const isOnce = sent.length === 1 && sent[0]?.attempts.length === 1;
  if (isOnce && (places.length === 1 || places.every(({ id }) => id === first.id))) {
    if (!hasRefused) findings.count('send.stored-once');
    return;
  }
  const shown = new Map(places.toReversed().map(({ id, knownBy }) => [id, knownBy]));
  const possible = sent.filter(mayBeStored);
  if (possible.length === 0) return;
  const attempts = possible.flatMap((each) => each.attempts);
  const isRepeated = attempts.length > possible.length;
  const clause = isRepeated ? 'send.retry-stores-once' : 'send.stored-once';
  if (shown.size <= possible.length) {
    findings.count(clause);
    return;
  }
  if (possible.some((each) => mayBeAnother(each, kept))) return;
  const reads = [...shown.values()];
  findings.add({
    name: 'duplicate',
    clause,
    expected: `${possible.length} messages with ${marker}`,
    actual: `${shown.size}: ${[...shown.keys()].slice(0, 4).join(', ')}`,
    witness: [...attempts.slice(0, 3), ...reads.slice(0, 3), ...(isRepeated ? kept.shownBy(attempts) : [])],
    root: `message ${marker}`,
    dependsOn: [`message ${marker}`],
  });
}

/** Whether a send came again, and was not refused, when the record of its key may have been gone, or with parts that a key may not stand for. */
function mayBeAnother({ attempts }: Sent, kept: Kept): boolean {
  const [first, ...repetitions] = attempts;
  return (
    first !== undefined &&
    repetitions.some((each) => isNotRefused(each) && (!isSameBody(each, first) || !kept.isKept(first, each)))
  );
}

/**
 * The repetition of a send after its answer; what becomes of one while another under its key is under way is open, as what a 202 takes is
 * until it is seen.
 */
function judgeReplay(
  findings: Findings,
  { attempts }: Sent,
  {
    world: { history },
    origin: { places, sent },
    underKey,
  }: { readonly world: World; readonly origin: Origin; readonly underKey: readonly Send[] },
): void {
  const [first] = attempts;
  if (first?.key === undefined || attempts.length < 2) return;
  const ack = attempts.find(({ outcome }) => outcome === 'accepted');
  if (ack === undefined) return;
  const reads = sent.length === 1 ? places.map(({ knownBy }) => knownBy) : [];
  const [seen] = reads.toSorted((one, other) => one.endedMs - other.endedMs);
  const done = ack.status === 202 ? seen : ack;
  if (done === undefined) return;
  for (const attempt of attempts) {
    if (attempt.startedMs <= done.endedMs || !isSameBody(attempt, ack)) continue;
    // What else the bodies of others hold, such as the time of an attempt, nobody keeps.
    if (history.facts.isPartial === true && ![attempt, ack].every(({ stores }) => stores === 'all')) continue;
    if (underKey.some((other) => other !== attempt && isAtOnce(other, attempt))) continue;
    // Once its record is forgotten, the key may stand for another message, and that is what it conflicts with.
    if (underKey.some((other) => mayHaveTaken(other, attempt))) continue;
    if (attempt.outcome === 'refused' && attempt.status === 409)
      findings.add({
        name: 'replay-conflict',
        clause: 'send.equal-replay-is-no-conflict',
        expected: `the repetition under ${String(first.key)} after its answer not to be a conflict`,
        actual: 'status 409',
        witness: [...new Set([attempt, ack, done])],
        root: `key ${String(first.key)}`,
      });
    else if (attempt.outcome === 'accepted') findings.count('send.equal-replay-is-no-conflict');
  }
}

/** Whether a send was accepted and is done: what a 202 takes may still be under way, and its key not recorded yet. */
function isTaken({ outcome, status }: Send): boolean {
  return outcome === 'accepted' && status !== 202;
}

function isNotRefused({ outcome }: Send): boolean {
  return outcome !== 'refused';
}

function isAtOnce(one: Send, other: Send): boolean {
  return one.startedMs <= other.endedMs && other.startedMs <= one.endedMs;
}

/** Whether a key may have been used for another message before an attempt. */
function mayHaveTaken(other: Send, { content, startedMs }: Send): boolean {
  return (
    other.outcome !== 'refused' && other.content?.digest !== content?.digest && other.startedMs < startedMs
  );
}

/** Whether the default written out is the same as left out is open, and so is the order of targets. */
function isSameBody(one: Send, other: Send): boolean {
  return (
    one.contentType === other.contentType &&
    isOfOneScope(one, other) &&
    one.targets.join() === other.targets.join() &&
    one.files.join() === other.files.join()
  );
}

/** Whether a key that counts for one host, or for one session, counts for both: what it counts for is left open. */
function isOfOneScope(one: Send, other: Send): boolean {
  return one.session === other.session && one.host === other.host;
}

/** For each send the next one of the agent to begin; several may be under way. */
function followingOf({ history }: World): ReadonlyMap<Send, Send> {
  const byAgent = new Map<string, Send[]>();
  for (const operation of history.operations)
    if (operation.kind === 'send') push(byAgent, operation.agent, operation);
  const following = new Map<Send, Send>();
  for (const sends of byAgent.values()) {
    sends.sort((one, other) => one.startedMs - other.startedMs);
    sends.forEach((send, index) => {
      const next = sends[index + 1];
      if (next !== undefined && next.startedMs > send.endedMs) following.set(send, next);
    });
  }
  return following;
}

/** For how long a key was surely kept, and the sends that show it. */
interface Keeping {
  readonly forMs: number;
  readonly witness: readonly Send[];
}

/**
 * How long records of keys are kept: for the shortest life there is; most likely as long as one was if nothing else is sent that takes its
 * room, but records may also end all at once, now and then.
 */
class Kept {
  readonly #world: World;
  readonly #shortestMs: number;
  readonly #longest: Keeping;
  readonly #spans = new Map<Key, Spans>();

  constructor(world: World, sharingKeys: readonly (readonly Sent[])[]) {
    this.#world = world;
    this.#shortestMs = shortestKeyLifeMs(fastestAnswerMs(world));
    this.#longest = sharingKeys
      .flatMap((group) => keepingsOf(world, group))
      .reduce((longest, each) => (each.forMs > longest.forMs ? each : longest), {
        forMs: this.#shortestMs,
        witness: [],
      });
  }

  /** Whether the record that a send leaves was surely there until a later one under its key had ended. */
  isSurelyKept(first: Send, later: Send): boolean {
    return this.#isWithin(this.#shortestMs, first, later);
  }

  /** Whether it was there as far as others were: enough for what is inferred alone. */
  isKept(first: Send, later: Send): boolean {
    return (
      this.isSurelyKept(first, later) ||
      (this.#isWithin(this.#longest.forMs, first, later) && this.#isAlone(first, later))
    );
  }

  #isWithin(lifeMs: number, { startedMs }: Send, { endedMs }: Send): boolean {
    return endedMs - startedMs <= lifeMs && restartBetween(this.#world, startedMs, endedMs) === undefined;
  }

  /** What shows that a record was there from the first of some attempts to the last, where it need not have been. */
  shownBy(attempts: readonly Send[]): readonly Send[] {
    const fromMs = Math.min(...attempts.map(({ startedMs }) => startedMs));
    return attempts.some(({ endedMs }) => endedMs - fromMs > this.#shortestMs) ? this.#longest.witness : [];
  }

  /** Whether nothing was sent under another key meanwhile: as many sends were under way under its own as in all. */
  #isAlone({ key, startedMs }: Send, { endedMs }: Send): boolean {
    if (this.#world.history.facts.isPartial === true) return false;
    const [all, own] = [this.#under(everyKey), this.#under(key)].map((sends) =>
      sends.count({ startedMs, endedMs }),
    );
    return all === own;
  }

  #under(key: Key): Spans {
    return remembered(this.#spans, key, () => new Spans(this.#sentUnder(key)));
  }

  #sentUnder(key: Key): readonly Send[] {
    const { history, sends } = this.#world;
    return key === everyKey ? history.operations.filter((each) => each.kind === 'send') : sends.underKey(key);
  }
}

/** Stands for whichever key, and none. */
const everyKey = Symbol('every key');
type Key = string | undefined | typeof everyKey;

function fastestAnswerMs({ history }: World): number {
  const taken = history.operations.filter(({ kind, outcome }) => kind !== 'change' && outcome === 'accepted');
  return taken.reduce((least, { startedMs, endedMs }) => Math.min(least, endedMs - startedMs), Infinity);
}

/**
 * By a key that was refused for another message as a conflict, since it was used last: that may have renewed its record. Nobody else used it:
 * how far a key counts is left open, and the conflict may be with the record of another.
 */
function keepingsOf(world: World, group: readonly Sent[]): readonly Keeping[] {
  const attempts = group.flatMap((sent) => sent.attempts);
  const [first] = attempts.filter(({ outcome }) => outcome === 'accepted');
  if (first === undefined || scopesOf(group)[0]?.length !== group.length) return [];
  const isOfAnother = ({ content }: Send): boolean => content?.digest !== first.content?.digest;
  const taken = attempts.filter(isNotRefused);
  if (taken.some(isOfAnother)) return [];
  return attempts
    .filter((attempt) => attempt.status === 409 && isOfAnother(attempt))
    .flatMap((conflict) => {
      const last = taken.reduce((latest, each) =>
        each.startedMs < conflict.endedMs && each.endedMs > latest.endedMs ? each : latest,
      );
      if (restartBetween(world, last.startedMs, conflict.endedMs) !== undefined) return [];
      return [{ forMs: conflict.startedMs - last.endedMs, witness: [last, conflict] }];
    });
}

interface Keyed {
  readonly kept: Kept;
  readonly following: ReadonlyMap<Send, Send>;
  readonly world: World;
}

/** Messages of different contents that one agent sent to one channel under one key. */
function judgeKey(findings: Findings, group: readonly Sent[], { following, world, kept }: Keyed): void {
  const attempts = new Set(group.flatMap((sent) => sent.attempts));
  const [first] = attempts;
  if (first === undefined) return;
  const root = `key ${String(first.key)} of ${first.agent}`;
  for (const { holder, other, read } of answeredAlike(group, world))
    findings.add({ ...conflictAccepted(holder, other, [other, holder, read]), root, breaks: [root] });
  for (const sent of group) {
    const holder = sent.attempts.find(isNotRefused);
    if (holder === undefined || !isTaken(holder) || world.history.facts.isPartial === true) continue;
    // The record of the key may have been forgotten when the agent sent something else in between.
    for (
      let next = following.get(holder);
      next !== undefined && attempts.has(next);
      next = following.get(next)
    ) {
      if (next.content?.digest === holder.content?.digest) continue;
      judgeOther(findings, [holder, next], { attempts, kept, root });
      if (next.outcome === 'accepted') break;
    }
  }
  judgeOverlap(findings, group, { kept, world, root });
}

/** A send that was answered with the message of an earlier one, and a read where that tells what the message holds. */
interface Alike {
  readonly holder: Send;
  readonly other: Send;
  readonly read: Read | undefined;
}

/**
 * Two sends of different contents of which the second is answered with the message of the first: its record was there. The id alone
 * may be that of something else, as of the key: the answer, or a read, has to show the content of the first with it. Where the second is
 * there as well, no record stood in its way, and its answer shows another message beside, as the one before it: what it shows is left open.
 */
function* answeredAlike(group: readonly Sent[], { sends }: World): Generator<Alike> {
  const taken = group
    .flatMap(({ attempts }) => attempts)
    .filter(({ outcome, content, stores }) => outcome === 'accepted' && content && stores !== 'nothing')
    .toSorted((one, other) => one.startedMs - other.startedMs);
  for (const [at, other] of taken.entries()) {
    const id = other.shown?.id;
    const holder = taken.slice(0, at).find(({ shown }) => shown !== undefined && shown.id === id);
    if (holder?.content === undefined || isAtOnce(holder, other)) continue;
    const { digest, marker = '' } = holder.content;
    if (digest === other.content?.digest || isApart(other, id, sends)) continue;
    const read = sends
      .ofMarker(marker)
      ?.places.find((place) => place.id === id && place.item.message.content?.digest === digest)?.knownBy;
    if (other.shown?.content?.digest === digest) yield { holder, other, read: undefined };
    else if (read !== undefined) yield { holder, other, read };
  }
}

/** Whether a read shows what was sent, as another message than the one of an id. */
function isApart({ content }: Send, id: string | undefined, sends: World['sends']): boolean {
  const { places = [] } = sends.ofMarker(content?.marker ?? '') ?? {};
  return places.some((place) => place.id !== id);
}

function conflictAccepted({ key }: Send, { status }: Send, witness: Finding['witness']) {
  return {
    name: 'conflict-accepted',
    clause: 'send.conflict-is-refused',
    expected: `a conflict: key ${String(key)} had been used for another message`,
    actual: `status ${String(status)}`,
    witness,
  } as const;
}

interface OfKey extends Pick<Keyed, 'kept'> {
  /** All sends under it. */
  readonly attempts: ReadonlySet<Send>;
  readonly root: string;
}

/** Another message under the key of one that was taken, with nothing else in between. */
function judgeOther(
  findings: Findings,
  [holder, other]: readonly [Send, Send],
  { attempts, kept, root }: OfKey,
): void {
  // Of bodies that are read in different ways nobody knows which are the same.
  const isUncertain = [...attempts].some(
    ({ outcome, stores, startedMs }) =>
      (outcome === 'indeterminate' || stores === 'nothing') && startedMs <= other.endedMs,
  );
  if (isUncertain || !isOfOneScope(holder, other)) return;
  if (other.status === 409) findings.count('send.conflict-is-refused');
  else if (other.outcome === 'accepted' && kept.isSurelyKept(holder, other))
    findings.add({
      ...conflictAccepted(holder, other, [other, holder]),
      root,
      breaks: [root],
    });
}

/** Of several messages sent under one key at the same time one is stored. */
function judgeOverlap(
  findings: Findings,
  group: readonly Sent[],
  { kept, world, root }: Pick<Keyed, 'kept' | 'world'> & { readonly root: string },
): void {
  const stored = group.flatMap((sent) => {
    const { marker } = sent.content;
    const origin = marker === undefined ? undefined : world.sends.ofMarker(marker);
    const place = origin?.sent.length === 1 ? origin.place : undefined;
    const by = sent.attempts.find(isNotRefused);
    return place === undefined || by === undefined ? [] : [{ sent, by, read: place.knownBy }];
  });
  const pairs = stored.flatMap((one, index) =>
    stored
      .slice(index + 1)
      .flatMap((other) =>
        isOfOneScope(one.by, other.by) && isOfOneTime(one.by, other.by, kept) ? [{ one, other }] : [],
      ),
  );
  const [double] = pairs;
  if (double === undefined) {
    const isMet = stored.some(({ sent, by }) =>
      group.some(
        (each) =>
          each !== sent &&
          each.attempts.some((attempt) => isOfOneScope(by, attempt) && isAtOnce(by, attempt)),
      ),
    );
    if (isMet) findings.count('send.concurrent-conflict-stores-one');
    return;
  }
  const { one, other } = double;
  findings.add({
    name: 'conflict-concurrent-double',
    clause: 'send.concurrent-conflict-stores-one',
    expected: `one of the messages that were sent under ${root} at the same time`,
    actual: `${new Set(pairs.flatMap((pair) => [pair.one, pair.other])).size} of them`,
    witness: [one.by, other.by, one.read, other.read],
    root,
    dependsOn: [root],
  });
}

/** Whether two sends were under way at once, and not for so long that the record of one may have been gone when the other was stored. */
function isOfOneTime(one: Send, other: Send, kept: Kept): boolean {
  const first = one.startedMs <= other.startedMs ? one : other;
  const last = one.endedMs >= other.endedMs ? one : other;
  return isAtOnce(one, other) && kept.isKept(first, last);
}
