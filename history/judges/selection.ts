import { isUuid } from '../../spec/index.ts';
import type { Read } from '../operation.ts';
import { leavesOut } from '../seen-message.ts';
import type { Item, TargetName } from '../seen-message.ts';
import { bySequence } from '../sequence.ts';
import type { Sequence } from '../sequence.ts';
import { isOneAgent } from '../world/principals.ts';
import type { Showing } from '../world/sight.ts';
import { push } from '../world/sorted.ts';
import type { Stream } from '../world/stream.ts';
import type { World } from '../world/world.ts';
import { clausesOf } from '../anomalies/catalogue.ts';
import { Findings, messageRoot } from '../anomalies/findings.ts';
import type { Judge } from '../anomalies/judge.ts';

/** What a feed lists: explicit mentions of its reader by somebody else, of its own workspace, in one order for all. */
export const selection: Judge = {
  name: 'selection',
  clauses: clausesOf(
    'feed-crosstalk',
    'mention-id',
    'self-authored',
    'unmentioned',
    'foreign-workspace',
    'feed-order-disagreement',
  ),
  judge: (world: World) => {
    const findings = new Findings();
    judgeNames(findings, world);
    for (const stream of world.streams.values()) {
      for (const showing of stream.showings()) {
        if (stream.isFeed) judgeMention(findings, world, showing);
        judgeWorkspace(findings, world, stream, showing);
      }
    }
    judgeOrders(findings, world);
    return findings.judged;
  },
};

/** One credential is one agent; which one an API key acts as is left open. */
function judgeNames(findings: Findings, { principals, streams }: World): void {
  const clause = 'mentions.agent-id-header.is-the-caller';
  for (const agent of principals.named) {
    if (!isOneAgent(agent)) continue;
    const ids = principals.idsOf(agent);
    const [first, ...others] = [...ids];
    if (first === undefined) continue;
    if (others.length === 0) findings.count(clause, (streams.get(`feed ${agent}`)?.pages.length ?? 1) - 1);
    for (const [id, read] of others)
      findings.add({
        name: 'feed-crosstalk',
        clause,
        expected: `the credential ${agent} to be agent ${first[0]}, as before`,
        actual: id,
        witness: [read, first[1]],
        root: `credential ${agent}`,
      });
  }
}

function judgeMention(findings: Findings, world: World, { item, place, knownBy }: Showing): void {
  const { message, id } = item;
  const about = (): About => ({ witness: [world.causeOf(message), knownBy], root: messageRoot(message) });
  if (id !== undefined && message.id !== undefined) {
    if (id === message.id) findings.count('mention.id.is-the-message-id');
    else
      findings.add({
        ...about(),
        name: 'mention-id',
        clause: 'mention.id.is-the-message-id',
        expected: `the id of its message, ${message.id}`,
        actual: id,
      });
  }
  const reader = isOneAgent(knownBy.agent) ? knownBy.agentId : undefined;
  if (reader === undefined) return;
  judgeAuthor(findings, { item, read: knownBy, reader }, about);
  const attempts = place.origin?.sent.flatMap((send) => send.attempts) ?? [];
  const sent = attempts.length === 0 ? undefined : attempts.flatMap(({ targets }) => targets);
  judgeTargets(findings, { item, read: knownBy, reader }, about, sent);
}

interface Mention {
  readonly item: Item;
  readonly read: Read;
  /** The id of the agent that asked. */
  readonly reader: string;
}

type About = Pick<Parameters<Findings['add']>[0], 'witness' | 'root'>;

function judgeAuthor(findings: Findings, { item, read, reader }: Mention, about: () => About): void {
  const author = item.message.author?.id;
  if (author === undefined) return;
  if (author !== reader) findings.count('mentions.self-authored-excluded');
  else
    findings.add({
      ...about(),
      name: 'self-authored',
      clause: 'mentions.self-authored-excluded',
      expected: `${read.stream}: no message of agent ${reader} itself`,
      actual: `message ${String(item.message.id)}`,
    });
}

/**
 * A target of another kind may stand for the reader, as far as anybody knows; and what was sent to the reader is listed rightly,
 * whatever targets it shows. Of a message that shows no list of targets nobody knows whom it names, but by what was sent.
 */
function judgeTargets(
  findings: Findings,
  { item, read, reader }: Mention,
  about: () => About,
  sent: readonly TargetName[] | undefined,
): void {
  const { message, id } = item;
  if (sent === undefined && leavesOut(message, 'targets')) return;
  const named = sent ?? [];
  const targets = leavesOut(message, 'targets') ? named : message.targets;
  const clause = targets.length === 0 ? 'mentions.broadcasts-excluded' : 'mentions.other-targets-excluded';
  const matches = [...targets, ...named].some(
    (target) => target === `agent:${reader}` || !target.startsWith('agent:'),
  );
  if (matches) {
    findings.count('mentions.other-targets-excluded');
    findings.count('mentions.broadcasts-excluded');
  } else
    findings.add({
      ...about(),
      name: 'unmentioned',
      clause,
      expected: `${read.stream}: only messages that name agent ${reader}, or who stands behind it`,
      actual: `message ${String(id)} to ${targets.length === 0 ? 'nobody' : targets.join(', ')}`,
    });
}

/** A message is of the workspace of its channel, and a feed lists none of another. */
function judgeWorkspace(
  findings: Findings,
  world: World,
  stream: Stream,
  { item, place, knownBy }: Showing,
): void {
  const { message } = item;
  const { principals } = world;
  const sent = place.origin?.sent;
  const own = stream.channel ?? (sent?.length === 1 ? sent[0]?.channel : message.channel);
  const workspace = own === undefined ? undefined : principals.workspaceOfChannel(own);
  const about = (): About => ({ witness: [world.causeOf(message), knownBy], root: messageRoot(message) });
  if (message.workspace !== undefined && workspace !== undefined) {
    if (message.workspace === workspace) findings.count('message.workspace-id.is-its-workspace');
    else
      findings.add({
        ...about(),
        name: 'foreign-workspace',
        clause: 'message.workspace-id.is-its-workspace',
        expected: `message ${String(message.id)} of workspace ${workspace}, as the others of its channel`,
        actual: message.workspace,
        witness: [...about().witness, ...otherReads(world, own, message.workspace)],
      });
  }
  if (!stream.isFeed || !isOneAgent(knownBy.agent)) return;
  const reader = principals.workspaceOfAgent(knownBy.agent);
  const shown = workspace ?? message.workspace;
  if (reader === undefined || shown === undefined) return;
  if (shown === reader) findings.count('mentions.own-workspace-only');
  // What is no UUID names no other workspace.
  else if (isUuid(shown))
    findings.add({
      ...about(),
      name: 'foreign-workspace',
      clause: 'mentions.own-workspace-only',
      expected: `${stream.name}: only messages of workspace ${reader}`,
      actual: `message ${String(message.id)} of ${shown}`,
      witness: [...about().witness, ...ownReads(world, knownBy.agent, reader)],
    });
}

/** Reads that show the usual workspace of a channel. */
function otherReads({ streams }: World, channel: string | undefined, not: string): readonly Read[] {
  const places = streams.get(`channel ${channel}`)?.all ?? [];
  const reads = places.filter(({ item }) => item.message.workspace !== not).map(({ knownBy }) => knownBy);
  return [...new Set(reads.slice(0, 50))].slice(0, 2);
}

/** Reads by an agent that show its workspace. */
function ownReads({ streams }: World, agent: string, workspace: string): readonly Read[] {
  for (const stream of streams.values()) {
    const own = stream.pages.find(
      ({ read }) =>
        !stream.isFeed &&
        read.agent === agent &&
        read.items.some(({ message }) => message.workspace === workspace),
    );
    if (own !== undefined) return [own.read];
  }
  return [];
}

/** Messages that several feeds list, and where. */
interface Common {
  readonly id: string;
  readonly one: Sequence;
  readonly other: Sequence;
}

/** Of so many feeds that list a message the order is compared, each with the next. */
const mostFeeds = 8;

function judgeOrders(findings: Findings, { streams }: World): void {
  const lists = new Map<string, { readonly stream: Stream; readonly sequence: Sequence }[]>();
  for (const stream of streams.values()) {
    if (!stream.isFeed) continue;
    for (const { id, sequence } of stream.places)
      if (!stream.repeated.has(id)) push(lists, id, { stream, sequence });
  }
  const pairs = new Map<
    string,
    { readonly one: Stream; readonly other: Stream; readonly common: Common[] }
  >();
  for (const [id, places] of lists) {
    const compared = places.slice(0, mostFeeds);
    compared.forEach((one, index) => {
      for (const other of compared.slice(index + 1)) {
        const key = `${one.stream.name} ${other.stream.name}`;
        const pair = pairs.get(key) ?? { one: one.stream, other: other.stream, common: [] };
        pairs.set(key, pair);
        pair.common.push({ id, one: one.sequence, other: other.sequence });
      }
    });
  }
  for (const pair of pairs.values()) judgeOrder(findings, pair);
}

function judgeOrder(
  findings: Findings,
  {
    one,
    other,
    common,
  }: { readonly one: Stream; readonly other: Stream; readonly common: readonly Common[] },
): void {
  const sorted = common.toSorted((left, right) => bySequence(left.one, right.one));
  let highest: Common | undefined;
  for (const each of sorted) {
    if (highest !== undefined && each.other < highest.other) {
      const reads = [one, other].flatMap((stream) =>
        [highest?.id, each.id].map((id) => stream.places.find((place) => place.id === id)?.knownBy),
      );
      findings.add({
        name: 'feed-order-disagreement',
        clause: 'mentions.feeds-agree-on-order',
        expected: `${other.name}: message ${highest.id} before ${each.id}, as in ${one.name}`,
        actual: `${highest.id} at ${highest.other}, ${each.id} at ${each.other}`,
        witness: reads,
        root: [one.name, other.name].toSorted().join(' and '),
      });
      return;
    }
    if (highest !== undefined) findings.count('mentions.feeds-agree-on-order');
    if (highest === undefined || each.other > highest.other) highest = each;
  }
}
