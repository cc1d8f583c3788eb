import type { Send } from '../operation.ts';
import type { Origin, Sent } from '../world/origin.ts';
import { isOfChannel } from '../world/sight.ts';
import { push } from '../world/sorted.ts';
import { restartBetween } from '../world/changes.ts';
import type { World } from '../world/world.ts';
import { shortestKeyLifeMs } from '../../oracles/messages/idempotency.ts';
import { clausesOf } from '../anomalies/catalogue.ts';
import { Findings } from '../anomalies/findings.ts';
import type { Judge } from '../anomalies/judge.ts';

/** One message for a send, however often it is repeated under its key; and a key serves one message. */
export const keys: Judge = {
  name: 'keys',
  clauses: clausesOf('duplicate', 'conflict-accepted', 'conflict-concurrent-double', 'replay-conflict'),
  judge: (world: World) => {
    const findings = new Findings();
    const { sharingKeys } = world.sends;
    const groups = sharingKeys.flatMap(scopesOf);
    let longest: Keeping = { forMs: shortestKeyLifeMs, witness: [] };
    for (const each of groups.flatMap((group) => keepingsOf(world, group)))
      if (each.forMs > longest.forMs) longest = each;
    const sharing = new Map(
      sharingKeys.map((group) => [group[0]?.key, group.flatMap(({ attempts }) => attempts)]),
    );
    for (const origin of world.sends.all()) {
      judgeCopies(findings, origin, { world, longest });
      if (origin.isPlain) continue;
      for (const sent of origin.sent) judgeReplay(findings, sent, sharing.get(sent.key) ?? sent.attempts);
    }
    if (groups.length === 0) return findings.judged;
    const following = followingOf(world);
    for (const group of groups) judgeKey(findings, group, { following, world, longest });
    return findings.judged;
  },
};

/** Sends of one key by agent and channel; whether a key counts beyond these is left open. */
function scopesOf(group: readonly Sent[]): readonly (readonly Sent[])[] {
  const scopes = new Map<string, Sent[]>();
  for (const sent of group) push(scopes, `${sent.agent} ${sent.channel}`, sent);
  return [...scopes.values()].filter(({ length }) => length > 1);
}

/** As many messages as sends; refused ones leave none, and one that was repeated when its key may have been forgotten any number. */
function judgeCopies(
  findings: Findings,
  origin: Origin,
  { world, longest }: Pick<Keyed, 'world' | 'longest'>,
): void {
  const { marker, sent } = origin;
  // What a feed shows under another id than the channel is no second message.
  const inChannels = origin.places.filter(isOfChannel);
  const places = inChannels.length > 0 ? inChannels : origin.places;
  const [first] = places;
  if (marker === undefined || first === undefined) return;
  const isOnce = sent.length === 1 && sent[0]?.attempts.length === 1;
  if (isOnce && (places.length === 1 || places.every(({ id }) => id === first.id))) {
    if (!origin.hasRefused) findings.count('send.stored-once');
    return;
  }
  const shown = new Map(places.toReversed().map(({ id, knownBy }) => [id, knownBy]));
  const possible = sent.filter(({ standing }) => standing === 'accepted' || standing === 'indeterminate');
  if (possible.length === 0) return;
  const attempts = possible.flatMap((each) => each.attempts);
  const isRepeated = attempts.length > possible.length;
  const clause = isRepeated ? 'send.retry-stores-once' : 'send.stored-once';
  if (shown.size <= possible.length) {
    findings.count(clause);
    return;
  }
  if (possible.some((each) => mayBeAnother(world, each, longest.forMs))) return;
  const reads = [...shown.values()];
  findings.add({
    name: 'duplicate',
    clause,
    expected: `${possible.length} messages with ${marker}`,
    actual: `${shown.size}: ${[...shown.keys()].slice(0, 4).join(', ')}`,
    witness: [
      ...attempts.slice(0, 3),
      ...reads.slice(0, 3),
      ...(isRepeated && longest.forMs > shortestKeyLifeMs ? longest.witness : []),
    ],
    root: `message ${marker}`,
    dependsOn: [`message ${marker}`],
  });
}

/** Whether a send came again when the record of its key may have been gone, or with parts that a key may not stand for. */
function mayBeAnother(world: World, { attempts }: Sent, keptMs: number): boolean {
  const [first] = attempts;
  return (
    first !== undefined &&
    attempts.some(
      (each) =>
        each.endedMs - first.startedMs > keptMs ||
        !isSameBody(each, first) ||
        restartBetween(world, first.startedMs, each.endedMs) !== undefined,
    )
  );
}

/** The repetition of a send after its answer; what becomes of one while another under its key is under way is open. */
function judgeReplay(findings: Findings, { attempts }: Sent, underKey: readonly Send[]): void {
  const [first] = attempts;
  if (first?.key === undefined || attempts.length < 2) return;
  const ack = attempts.find(({ outcome }) => outcome === 'accepted');
  if (ack === undefined) return;
  for (const attempt of attempts) {
    if (attempt.startedMs <= ack.endedMs || !isSameBody(attempt, ack)) continue;
    if (underKey.some((other) => other !== attempt && isAtOnce(other, attempt))) continue;
    // Once its record is forgotten, the key may stand for another message, and that is what it conflicts with.
    if (underKey.some((other) => mayHaveTaken(other, attempt))) continue;
    if (attempt.outcome === 'refused' && attempt.status === 409)
      findings.add({
        name: 'replay-conflict',
        clause: 'send.equal-replay-is-no-conflict',
        expected: `the repetition under ${String(first.key)} after its answer not to be a conflict`,
        actual: 'status 409',
        witness: [attempt, ack],
        root: `key ${String(first.key)}`,
      });
    else if (attempt.outcome === 'accepted') findings.count('send.equal-replay-is-no-conflict');
  }
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
    one.session === other.session &&
    one.host === other.host &&
    one.targets.join() === other.targets.join() &&
    one.files.join() === other.files.join()
  );
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

/** By each key that was refused for another message as a conflict, since it was used last: that may have renewed its record. */
function keepingsOf(world: World, group: readonly Sent[]): readonly Keeping[] {
  const attempts = group.flatMap((sent) => sent.attempts);
  const [first] = attempts.filter(({ outcome }) => outcome === 'accepted');
  if (first === undefined) return [];
  const isOfAnother = ({ content }: Send): boolean => content?.digest !== first.content?.digest;
  const taken = attempts.filter(({ outcome }) => outcome !== 'refused');
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
  /** A key that is no older is kept. */
  readonly longest: Keeping;
  readonly following: ReadonlyMap<Send, Send>;
  readonly world: World;
}

/** Messages of different contents that one agent sent to one channel under one key. */
function judgeKey(findings: Findings, group: readonly Sent[], { following, world, longest }: Keyed): void {
  const attempts = group
    .flatMap((sent) => sent.attempts)
    .toSorted((one, other) => one.startedMs - other.startedMs);
  // Of bodies that are read in different ways nobody knows which are the same.
  const isCertain = attempts.every(
    ({ outcome, stores }) => outcome !== 'indeterminate' && stores !== 'nothing',
  );
  const [first] = attempts;
  if (first === undefined) return;
  const root = `key ${String(first.key)} of ${first.agent}`;
  const second = following.get(first);
  const ageMs = ({ endedMs }: Send): number => endedMs - first.startedMs;
  // The record of the key may have been forgotten after some time, at a restart, or when the agent sent something else in between; what a 202
  // takes may not be recorded yet.
  const isDirect =
    world.history.facts.isPartial !== true &&
    second !== undefined &&
    attempts.includes(second) &&
    first.status !== 202 &&
    restartBetween(world, first.startedMs, second.endedMs) === undefined;
  if (
    isCertain &&
    isDirect &&
    (second.outcome !== 'accepted' || ageMs(second) <= longest.forMs) &&
    first.outcome === 'accepted' &&
    second.content?.digest !== first.content?.digest
  ) {
    if (second.outcome === 'accepted')
      findings.add({
        name: 'conflict-accepted',
        clause: 'send.conflict-is-refused',
        expected: `a conflict: key ${String(first.key)} had just been used for another message`,
        actual: `status ${String(second.status)}`,
        witness: [second, first, ...(ageMs(second) > shortestKeyLifeMs ? longest.witness : [])],
        root,
        breaks: [root],
      });
    else findings.count('send.conflict-is-refused');
  }
  judgeOverlap(findings, group, { world, root });
}

/** Of several messages sent under one key at the same time one is stored. */
function judgeOverlap(
  findings: Findings,
  group: readonly Sent[],
  { world, root }: Pick<Keyed, 'world'> & { readonly root: string },
): void {
  const stored = group.flatMap((sent) => {
    const { marker } = sent.content;
    const origin = marker === undefined ? undefined : world.sends.ofMarker(marker);
    const place = origin?.sent.length === 1 ? origin.place : undefined;
    return place === undefined ? [] : [{ sent, read: place.knownBy }];
  });
  const areAtOnce = (one: Sent, other: Sent): boolean =>
    one.attempts.some((each) => other.attempts.some((another) => isAtOnce(each, another)));
  const pairs = stored.flatMap((one, index) =>
    stored.slice(index + 1).flatMap((other) => (areAtOnce(one.sent, other.sent) ? [{ one, other }] : [])),
  );
  const [double] = pairs;
  if (double === undefined) {
    const isMet = stored.some(({ sent }) => group.some((each) => each !== sent && areAtOnce(sent, each)));
    if (isMet) findings.count('send.concurrent-conflict-stores-one');
    return;
  }
  const { one, other } = double;
  findings.add({
    name: 'conflict-concurrent-double',
    clause: 'send.concurrent-conflict-stores-one',
    expected: `one of the messages that were sent under ${root} at the same time`,
    actual: `${stored.length} of them`,
    witness: [...one.sent.attempts.slice(0, 1), ...other.sent.attempts.slice(0, 1), one.read, other.read],
    root,
    dependsOn: [root],
  });
}
