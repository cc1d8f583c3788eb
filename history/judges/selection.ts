import { isUuid } from '../../spec/index.ts';
import type { Operation, Read } from '../operation.ts';
import { leavesOut, type Item, type TargetName } from '../seen-message.ts';
import { bySequence, type Sequence } from '../sequence.ts';
import { credentialOf, isOneAgent, type Principals } from '../world/principals.ts';
import type { Showing } from '../world/sight.ts';
import { push, remembered } from '../../spec/groups.ts';
import type { Stream } from '../world/stream.ts';
import type { World } from '../world/world.ts';
import { judgeOf, type Findings, messageRoot } from '../anomalies/findings.ts';

/** What a feed lists: explicit mentions of its reader by somebody else, of its own workspace, in one order for all. */
export const selection = judgeOf(
  [
    'feed-crosstalk',
    'mention-id',
    'self-authored',
    'unmentioned',
    'foreign-workspace',
    'feed-order-disagreement',
  ],
  (findings, world) => {
    judgeNames(findings, world);
    judgeSharedNames(findings, world);
    const machines: Machines = { known: new Map(), named: machinesNamed(world), hasOthers: new Map() };
    const workspaces = new Workspaces(world);
    for (const stream of world.streams.values()) {
      for (const showing of stream.showings()) {
        if (stream.isFeed) judgeMention(findings, world, showing, machines);
        judgeWorkspace(findings, { world, workspaces }, stream, showing);
      }
    }
    judgeOrders(findings, world);
  },
);

/** One credential is one agent; which one an API key acts as is left open. */
function judgeNames(findings: Findings, { principals, streams, history }: World): void {
  if (history.facts.isPartial === true) return;
  const clause = 'mentions.agent-id-header.is-the-caller';
  for (const agent of principals.named) {
    if (!isOneAgent(agent)) continue;
    const ids = principals.idsOf(agent);
    const [first, ...others] = [...ids];
    if (first === undefined) continue;
    const pages = streams.get(`feed ${agent}`)?.pages ?? [];
    if (others.length === 0)
      findings.count(clause, pages.filter(({ read }) => read.agentId !== undefined).length - 1);
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

/** Two credentials whose messages show different authors are two agents: an id that both are named is not that of one of them. */
function judgeSharedNames(findings: Findings, { principals, history }: World): void {
  if (history.facts.isPartial === true) return;
  const first = new Map<string, { readonly agent: string; readonly author: string; readonly read: Read }>();
  for (const agent of principals.named) {
    const author = isOneAgent(agent) ? principals.usualAuthorOf(agent) : undefined;
    if (author === undefined) continue;
    for (const [id, read] of principals.idsOf(agent)) {
      const known = first.get(id);
      if (known === undefined) first.set(id, { agent, author, read });
      else if (known.author !== author)
        findings.add({
          name: 'feed-crosstalk',
          clause: 'mentions.agent-id-header.is-the-caller',
          expected: `the credential ${agent} to be another agent than ${known.agent}, as the authors of their messages are`,
          actual: `${id} for both`,
          witness: [known.read, read, ...[known.author, author].flatMap((each) => principals.shownBy(each))],
          root: `credential ${agent}`,
        });
    }
  }
}

/** A machine, and what shows that it has to be that of a reader. */
interface OwnMachine {
  readonly machine: string;
  readonly by: readonly Operation[];
}

interface Machines {
  /** By the id of a reader whose messages show no machine: the first through which alone its feed lists something. */
  readonly known: Map<string, OwnMachine>;
  /** The machines that sends named. */
  readonly named: ReadonlySet<string>;
  /** Of machines that readers have, whether sends named another one of their humans. */
  readonly hasOthers: Map<string, boolean>;
}

function machinesNamed({ sends }: World): ReadonlySet<string> {
  const named = new Set<string>();
  for (const { sent } of sends.all())
    for (const { attempts } of sent)
      for (const { targets } of attempts)
        for (const target of targets) if (isMachine(target)) named.add(idOf(target));
  return named;
}

function isMachine(target: TargetName): boolean {
  return target.startsWith('machine:');
}

function judgeMention(
  findings: Findings,
  world: World,
  { item, place, knownBy }: Showing,
  machines: Machines,
): void {
  const { message, id } = item;
  const about = (): About => ({
    witness: [world.causeOf(message), knownBy],
    decides: knownBy,
    root: messageRoot(message),
  });
  if (id !== undefined && message.id !== undefined) {
    findings.hold('mention.id.is-the-message-id', id === message.id, () => ({
      ...about(),
      name: 'mention-id',
      expected: `the id of its message, ${message.id}`,
      actual: id,
    }));
  }
  const attempts = place.origin?.sent.flatMap((send) => send.attempts) ?? [];
  const sent = attempts.length === 0 ? undefined : attempts.flatMap(({ targets }) => targets);
  const targets = namedIn(item, sent);
  const { reader, by } = readerOf(world, knownBy);
  if (reader === undefined) {
    // Whoever a workspace key stands for: what names nobody is for nobody.
    if (targets !== undefined && targets.all.length === 0 && message.content?.hasAt !== true)
      findings.add({
        ...about(),
        name: 'unmentioned',
        clause: 'mentions.broadcasts-excluded',
        expected: `${knownBy.stream}: only messages that name somebody`,
        actual: `message ${String(item.id)} to nobody`,
      });
    return;
  }
  const ofReader = (): About => ({ ...about(), witness: [...about().witness, by] });
  judgeAuthor(findings, { item, read: knownBy, reader }, ofReader);
  if (targets !== undefined)
    judgeTargets(findings, world, { item, read: knownBy, reader }, targets, { about: ofReader, machines });
}

interface NamedReader {
  readonly reader: string | undefined;
  /** What names it, where that is another read. */
  readonly by?: Read | undefined;
}

/** Who asked, as answers to the credential agree; which agent a workspace key acts as is left open. */
function readerOf({ principals }: World, { agent, agentId }: Read): NamedReader {
  const reader = isOneAgent(agent) ? principals.idOf(agent) : undefined;
  return { reader, by: agentId === undefined ? principals.idsOf(agent).get(reader ?? '') : undefined };
}

interface Mention {
  readonly item: Item;
  readonly read: Read;
  /** The id of the agent that asked. */
  readonly reader: string;
}

type About = Pick<Parameters<Findings['add']>[0], 'witness' | 'decides' | 'root'>;

function judgeAuthor(findings: Findings, { item, read, reader }: Mention, about: () => About): void {
  const author = item.message.author?.id;
  if (author === undefined) return;
  findings.hold('mentions.self-authored-excluded', author !== reader, () => ({
    ...about(),
    name: 'self-authored',
    expected: `${read.stream}: no message of agent ${reader} itself`,
    actual: `message ${String(item.message.id)}`,
  }));
}

/** Whom a message shows that it names, and whom else it was sent to; `undefined` where neither is known. */
interface Named {
  readonly shown: readonly TargetName[];
  readonly all: readonly TargetName[];
}

/** What was sent to the reader is listed rightly, whatever targets it shows. Of a message that shows no list of targets only its send tells. */
function namedIn({ message }: Item, sent: readonly TargetName[] | undefined): Named | undefined {
  const isLeftOut = leavesOut(message, 'targets');
  if (sent === undefined && isLeftOut) return undefined;
  const shown = isLeftOut ? (sent ?? []) : message.targets;
  return { shown, all: [...shown, ...(sent ?? [])] };
}

function judgeTargets(
  findings: Findings,
  world: World,
  { item, read, reader }: Mention,
  { shown, all }: Named,
  { about, machines }: { readonly about: () => About; readonly machines: Machines },
): void {
  const strange = all.map((target) => strangeBy(world, machines, reader, target));
  const [only, ...others] = all.filter((_target, index) => strange[index] === undefined);
  if (only !== undefined) {
    // Named in its send as well as in what it shows, a target comes twice.
    if (isMachine(only) && others.every((each) => each === only) && !machines.known.has(reader))
      machines.known.set(reader, { machine: idOf(only), by: [read] });
    // Of traffic a human or a machine may stand for any reader: what names one could break nothing.
    if (world.history.facts.isPartial !== true || all.every((target) => target.startsWith('agent:')))
      findings.count('mentions.other-targets-excluded');
    findings.count('mentions.broadcasts-excluded');
    judgeMachines(findings, world, { item, read, reader }, [only, ...others], { about, machines });
    return;
  }
  // Whom a server finds by the text of a message is not said.
  if (item.message.content?.hasAt === true) return;
  const { witness, ...rest } = about();
  findings.add({
    ...rest,
    witness: [...witness, ...new Set(strange.flatMap((reads) => reads ?? []))],
    name: 'unmentioned',
    clause: shown.length === 0 ? 'mentions.broadcasts-excluded' : 'mentions.other-targets-excluded',
    expected: `${read.stream}: only messages that name agent ${reader}, or who stands behind it`,
    actual: `message ${String(item.id)} to ${shown.length === 0 ? 'nobody' : shown.join(', ')}`,
  });
}

/** What names another machine of its human alone is for that machine: which of them is an agent's is one thing, as far as its messages show. */
function judgeMachines(
  findings: Findings,
  { principals, history }: World,
  { item, read, reader }: Mention,
  targets: readonly TargetName[],
  { about, machines }: { readonly about: () => About; readonly machines: Machines },
): void {
  const [shown, another] = principals.machinesOf(reader);
  if (history.facts.isPartial === true || shown === undefined || another !== undefined) return;
  const [own, by] = shown;
  const clause = 'mentions.other-machines-excluded';
  const others = targets.map((target) =>
    isMachine(target) && idOf(target) !== own ? principals.ofOneHuman(own, idOf(target)) : undefined,
  );
  const isItself = others.includes(undefined);
  if (isItself) {
    if (hasOthers(principals, machines, own)) findings.count(clause);
    return;
  }
  const { witness, ...rest } = about();
  findings.add({
    ...rest,
    witness: [...witness, ...by, ...new Set(others.flatMap((reads) => reads ?? []))],
    name: 'unmentioned',
    clause,
    expected: `${read.stream}: only messages that name agent ${reader}, its human or its machine, ${own}`,
    actual: `message ${String(item.id)} to ${[...new Set(targets)].join(', ')}`,
  });
}

/** Whether a send named another machine of the humans on a machine. */
function hasOthers(principals: Principals, { named, hasOthers: known }: Machines, own: string): boolean {
  return remembered(known, own, () =>
    [...named].some((each) => each !== own && principals.ofOneHuman(own, each) !== undefined),
  );
}

/**
 * What shows that a target does not stand for a reader; `undefined` where it may, as far as anybody knows. That no human or machine is
 * shown behind an agent says nothing: it was not available. But each of its messages names one of each, and whoever it is when it sends
 * stands behind it.
 */
function strangeBy(
  { principals, history }: World,
  machines: Machines,
  reader: string,
  target: TargetName,
): readonly Operation[] | undefined {
  const id = idOf(target);
  if (target.startsWith('agent:')) return id === reader ? undefined : [];
  // Who stands behind an agent may have changed since its messages showed somebody.
  if (history.facts.isPartial === true) return undefined;
  if (target.startsWith('user:')) {
    return principals.otherHumanOf(reader, id);
  }
  const own = isMachine(target) ? ownMachine(principals, machines, reader) : undefined;
  const apart = own && own.machine !== id ? principals.apart(own.machine, id) : undefined;
  return own && apart && [...own.by, ...apart];
}

function ownMachine(principals: Principals, machines: Machines, reader: string): OwnMachine | undefined {
  const [shown, another] = principals.machinesOf(reader);
  if (shown === undefined) return machines.known.get(reader);
  const [machine, by] = shown;
  return another === undefined ? { machine, by } : undefined;
}

function idOf(target: TargetName): string {
  return target.slice(target.indexOf(':') + 1);
}

/** A message is of the workspace of its channel, and a feed lists none of another. */
function judgeWorkspace(
  findings: Findings,
  { world, workspaces }: { readonly world: World; readonly workspaces: Workspaces },
  stream: Stream,
  { item, place, knownBy }: Showing,
): void {
  const { message } = item;
  const { principals } = world;
  const sent = place.origin?.sent;
  const own = stream.channel ?? (sent?.length === 1 ? sent[0]?.channel : message.channel);
  const workspace = own === undefined ? undefined : principals.workspaceOfChannel(own);
  const about = (): About => ({
    witness: [world.causeOf(message), knownBy],
    decides: knownBy,
    root: messageRoot(message),
  });
  const named = message.workspace;
  // That one channel shows its own where its reader reads of another workspace too, nobody knows.
  const isDoubtful = named === workspace && own !== undefined && principals.isDoubtful(own);
  if (named !== undefined && workspace !== undefined && !isDoubtful) {
    findings.hold('message.workspace-id.is-its-workspace', named === workspace, () => ({
      ...about(),
      name: 'foreign-workspace',
      expected: `message ${String(message.id)} of workspace ${workspace}, as the others of its channel`,
      actual: named,
      witness: [...about().witness, ...workspaces.usualReads(own, workspace)],
    }));
  }
  if (!stream.isFeed || !isOneAgent(knownBy.agent)) return;
  const reader = principals.workspaceOfAgent(knownBy.agent);
  const shown = workspace ?? message.workspace;
  if (reader === undefined || shown === undefined) return;
  if (shown === reader) findings.count('mentions.own-workspace-only');
  // What is no UUID names no other workspace.
  else if (isUuid(shown) && !workspaces.isContested(stream))
    findings.add({
      ...about(),
      name: 'foreign-workspace',
      clause: 'mentions.own-workspace-only',
      expected: `${stream.name}: only messages of workspace ${reader}`,
      actual: `message ${String(message.id)} of ${shown}`,
      witness: [...about().witness, ...workspaces.ownReads(knownBy.agent, reader)],
    });
}

/** What reads show of workspaces, found once each: a server that shows a wrong one may show it with every message. */
class Workspaces {
  readonly #world: World;
  readonly #contested = new Map<Stream, boolean>();
  readonly #usual = new Map<string, readonly Read[]>();
  readonly #own = new Map<string, readonly Read[]>();

  constructor(world: World) {
    this.#world = world;
  }

  /** Whether a feed shows what it lists as of other workspaces than channels do: which of them are right nobody knows. */
  isContested(stream: Stream): boolean {
    const { principals } = this.#world;
    return remembered(this.#contested, stream, () =>
      stream.all.some(({ item: { message } }) => {
        const { channel, workspace } = message;
        const ofChannel = channel === undefined ? undefined : principals.workspaceOfChannel(channel);
        return ofChannel !== undefined && workspace !== undefined && ofChannel !== workspace;
      }),
    );
  }

  /** Reads that show the usual workspace of a channel. */
  usualReads(channel: string | undefined, workspace: string): readonly Read[] {
    return remembered(this.#usual, `${channel} ${workspace}`, () => {
      const places = this.#world.streams.get(`channel ${channel}`)?.all ?? [];
      const reads = places
        .filter(({ item }) => item.message.workspace === workspace)
        .map(({ knownBy }) => knownBy);
      return [...new Set(reads.slice(0, 50))].slice(0, 2);
    });
  }

  /** Reads by an agent that show its workspace. */
  ownReads(agent: string, workspace: string): readonly Read[] {
    return remembered(this.#own, `${agent} ${workspace}`, () => {
      for (const stream of this.#world.streams.values()) {
        const own = stream.pages.find(
          ({ read }) =>
            !stream.isFeed &&
            read.agent === credentialOf(agent) &&
            read.items.some(({ message }) => message.workspace === workspace),
        );
        if (own !== undefined) return [own.read];
      }
      return [];
    });
  }
}

/** Messages that several feeds list, and where. */
interface Common {
  readonly id: string;
  readonly one: Sequence;
  readonly other: Sequence;
}

/** Of the feeds that list a message each is compared with so many next ones: the one next to it may list only one of two messages. */
const mostNext = 8;

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
    places.forEach((one, index) => {
      for (const other of places.slice(index + 1, index + 1 + mostNext)) {
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
