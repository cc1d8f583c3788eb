import type { History, Operation, Read } from '../operation.ts';
import type { SeenAuthor } from '../seen-message.ts';
import { answeredMessage, type Sent } from './origin.ts';
import type { Place } from './sight.ts';
import { addTo, push } from '../../spec/groups.ts';
import type { Stream } from './stream.ts';

/** A value, and how often each was seen. */
type Votes = Map<string, number>;

/** A message that was sent in the history: what showed it, and its send. */
type Evidence = readonly Operation[];

/**
 * Whom messages that were sent in the history show beside somebody, each with the first of them. An author is as it was at write time: one
 * of an older message may have changed hands.
 */
type Links<T = Evidence> = Map<string, Map<string, T>>;

/** Who is who, as far as answers showed it: a history names credentials, and messages name agents, people and machines. */
export class Principals {
  /** The first read that named each agent id to a credential. */
  readonly #named = new Map<string, Map<string, Read>>();
  readonly #ids = new Map<string, string>();
  readonly #authored = new Map<string, Votes>();
  /** The form of each author that was learned last: most messages show the same. */
  readonly #learned = new Map<string, SeenAuthor>();
  readonly #humans: Links = new Map();
  readonly #humanless = new Set<string>();
  readonly #machineless = new Set<string>();
  /** The first message of each agent id that was sent in the history. */
  readonly #shownBy = new Map<string, Evidence>();
  readonly #machines: Links = new Map();
  /** The humans and machines of each agent that any message shows. */
  readonly #everBehind = new Map<string, Set<string>>();
  /** As `#learned`, of messages that were sent in the history. */
  readonly #learnedSent = new Map<string, SeenAuthor>();
  /** The humans of the agents on each machine that any message shows: a machine is that of one human. */
  readonly #humansOn: Links<Read> = new Map();
  readonly #channelWorkspaces = new Map<string, Votes>();
  readonly #agentWorkspaces = new Map<string, Votes>();
  readonly #workspaces = new Map<string, string | undefined>();
  readonly #homes = new Map<string, string | undefined>();
  readonly #doubtful = new Set<string>();
  readonly #credentials = new Map<string, string[]>();
  /** Targets that a message can name, each with a read that showed it. */
  readonly #known = new Map<string, Read>();
  /** The workspaces in whose messages each target was shown as an author, or behind one. */
  readonly #shownIn = new Map<string, Set<string>>();

  constructor({ operations }: History, streams: Iterable<Stream>) {
    for (const operation of operations) if (operation.kind === 'read') this.#learnName(operation);
    const known = [...streams];
    for (const stream of known) this.#learnMessages(stream);
    for (const [channel, votes] of this.#channelWorkspaces)
      this.#workspaces.set(channel, mostOf(votes) ?? [...votes.keys()][0]);
    for (const stream of known) this.#learnAccess(stream);
    for (const stream of known) this.#learnDoubts(stream);
    for (const [agent, votes] of this.#agentWorkspaces) this.#homes.set(agent, mostOf(votes));
    const isMixedUp = [...this.#named].some(([agent, ids]) => ids.size > 1 && isOneAgent(agent));
    for (const [agent, ids] of this.#named) {
      const id = ids.size === 1 && isOneAgent(agent) ? only(ids) : undefined;
      if (id === undefined || (isMixedUp && this.usualAuthorOf(agent) !== id)) continue;
      this.#ids.set(agent, id);
      push(this.#credentials, id, agent);
    }
  }

  /** The agent ids that answers named to a credential, each with the first read that did. */
  idsOf(agent: string): ReadonlyMap<string, Read> {
    return this.#named.get(agent) ?? new Map();
  }

  /** The first read that named an agent id to one of its credentials. */
  namedBy(id: string): Read | undefined {
    return this.credentialsOf(id).flatMap((each) => this.idsOf(each).get(id) ?? [])[0];
  }

  /** Credentials that were named an id. */
  get named(): IterableIterator<string> {
    return this.#named.keys();
  }

  /**
   * The agent id of a credential; `undefined` when no answer named it, or answers disagree. Where answers to any credential do, one that
   * its own messages do not show as their author may be somebody else's.
   */
  idOf(agent: string): string | undefined {
    return this.#ids.get(agent);
  }

  /** The agent of a credential: the one that answers named, else the author that its messages mostly show. */
  agentOf(credential: string): string | undefined {
    return this.idOf(credential) ?? (isOneAgent(credential) ? this.usualAuthorOf(credential) : undefined);
  }

  /** Whose message it is: the agent of its credential, else the author that an answer to the send shows. */
  authorOf({ agent, attempts }: Sent): string | undefined {
    return this.idOf(agent) ?? attempts.flatMap((attempt) => answeredMessage(attempt)?.author?.id ?? [])[0];
  }

  /** The credentials of an agent id. */
  credentialsOf(id: string): readonly string[] {
    return this.#credentials.get(id) ?? [];
  }

  /** Whether an agent id is that of nobody who has a credential here, as far as any of those is known. */
  isAnother(id: string): boolean {
    if (this.#credentials.has(id)) return false;
    const authors = [...this.#authored.values()];
    return this.#credentials.size + authors.length > 0 && !authors.some((votes) => votes.has(id));
  }

  /** The author that the messages of a credential mostly show. */
  usualAuthorOf(agent: string): string | undefined {
    return mostOf(this.#authored.get(agent));
  }

  /** A read that showed a principal. */
  witnessOf(target: string): readonly Read[] {
    const read = this.#known.get(target);
    return read === undefined ? [] : [read];
  }

  /** A message by an agent: it shows who stands behind that. */
  shownBy(id: string): Evidence {
    return this.#shownBy.get(id) ?? [];
  }

  /** The humans and machines that any message of an agent shows, however old. */
  everBehind(id: string): Iterable<string> {
    return this.#everBehind.get(id) ?? [];
  }

  /** Whether two agents run on one machine, or may stand for one human: one that shows none has one that was not available, as far as anybody knows. */
  mayShareOwner(one: string, other: string): boolean {
    const machine = this.machineOf(one);
    if (machine !== undefined && machine === this.machineOf(other)) return true;
    const [first, second] = [this.humanOf(one), this.humanOf(other)];
    return first === undefined || second === undefined || first === second;
  }

  /** Whether a message of an agent shows nobody of a target's kind behind it: then that one was not available. */
  mayLack(id: string, target: string): boolean {
    if (target.startsWith('user:')) return this.#humanless.has(id);
    return target.startsWith('machine:') && this.#machineless.has(id);
  }

  /** The human of an agent id; `undefined` when its messages show none, or several. */
  humanOf(id: string): string | undefined {
    return only(this.#humans.get(id));
  }

  /** The machine of an agent id; `undefined` when its messages show none, or several. */
  machineOf(id: string): string | undefined {
    return only(this.#machines.get(id));
  }

  /** What shows the human of an agent, where it is another than this one. */
  otherHumanOf(id: string, human: string): Evidence | undefined {
    const own = this.humanOf(id);
    return own === human ? undefined : this.#humans.get(id)?.get(own ?? '');
  }

  /** The machines that the messages of an agent show, each with what shows it. */
  machinesOf(id: string): ReadonlyMap<string, Evidence> {
    return this.#machines.get(id) ?? new Map();
  }

  /** Reads that show agents of other humans on one machine than on another: no agent is on both. `undefined` where one may be. */
  apart(one: string, other: string): readonly Read[] | undefined {
    const [here, there] = [this.#humansOn.get(one), this.#humansOn.get(other)];
    const [[, read] = [], [, otherRead] = []] = [[...(here ?? [])][0], [...(there ?? [])][0]];
    if (read === undefined || otherRead === undefined) return undefined;
    return [...(here ?? [])].some(([human]) => there?.has(human)) ? undefined : [read, otherRead];
  }

  /** Reads that show agents of one human on two machines; `undefined` where none do. */
  ofOneHuman(one: string, other: string): readonly Read[] | undefined {
    const there = this.#humansOn.get(other);
    for (const [human, read] of this.#humansOn.get(one) ?? []) {
      const otherRead = there?.get(human);
      if (otherRead !== undefined) return [read, otherRead];
    }
    return undefined;
  }

  /** Whether a target is a principal that answers showed: an agent, or whoever stands behind one. */
  isKnown(target: string): boolean {
    return this.#known.has(target);
  }

  /**
   * Whether a target is a principal of the workspace of a channel: its messages show it, or it reads there. One of another workspace only
   * is no target that a server has to validate.
   */
  isOfChannel(target: string, channel: string): boolean {
    const home = this.workspaceOfChannel(channel);
    if (home === undefined || this.#shownIn.get(target)?.has(home) === true) return true;
    const id = target.slice(target.indexOf(':') + 1);
    return this.credentialsOf(id).some((each) => this.workspaceOfAgent(each) === home);
  }

  /** The workspace that most messages of a channel show. */
  workspaceOfChannel(channel: string): string | undefined {
    return this.#workspaces.get(channel);
  }

  /** The workspace of the channels that a credential reads and sends to. */
  workspaceOfAgent(agent: string): string | undefined {
    return isOneAgent(agent) ? this.#homes.get(credentialOf(agent)) : undefined;
  }

  /** Whether somebody reads a channel who reads one that shows another workspace: one of the two does not show its own. */
  isDoubtful(channel: string): boolean {
    return this.#doubtful.has(channel);
  }

  #learnName(read: Read): void {
    const { agent, agentId, call, outcome } = read;
    if (agentId === undefined || call !== 'mentions' || outcome !== 'accepted') return;
    const ids = this.#named.get(agent) ?? new Map<string, Read>();
    this.#named.set(agent, ids);
    if (!ids.has(agentId)) ids.set(agentId, read);
    this.#know(`agent:${agentId}`, read);
  }

  #learnMessages({ all, channel }: Stream): void {
    const workspaces: Votes = new Map();
    for (const place of all) {
      this.#learnAuthor(place);
      const { workspace } = place.item.message;
      if (workspace !== undefined) workspaces.set(workspace, (workspaces.get(workspace) ?? 0) + 1);
    }
    if (channel !== undefined) this.#channelWorkspaces.set(channel, workspaces);
  }

  /** Learns from a place that is known to show what was sent. */
  learnSender({ item, origin, knownBy }: Place): void {
    const { author } = item.message;
    const id = author?.id;
    const [sent] = origin?.sent ?? [];
    if (author === undefined || id === undefined || sent === undefined) return;
    if (origin?.sent.length === 1) vote(this.#authored, sent.agent, id, 1);
    if (this.#learnedSent.get(id) === author) return;
    this.#learnedSent.set(id, author);
    const by = [knownBy, sent.ack ?? sent.attempts[0]].filter((each) => each !== undefined);
    if (!this.#shownBy.has(id)) this.#shownBy.set(id, by);
    link(this.#humans, id, author.human?.id, by);
    link(this.#machines, id, author.machine?.id, by);
  }

  #learnAuthor({ item, knownBy: by }: Place): void {
    const { author, workspace } = item.message;
    const id = author?.id;
    if (author === undefined || id === undefined) return;
    if (this.#learned.get(id) === author) return;
    this.#learned.set(id, author);
    for (const [kind, shown] of [
      ['agent', id],
      ['user', author.human?.id],
      ['machine', author.machine?.id],
    ] as const)
      if (shown !== undefined && workspace !== undefined) addTo(this.#shownIn, `${kind}:${shown}`, workspace);
    this.#know(`agent:${id}`, by);
    if (author.human === null) this.#humanless.add(id);
    if (author.machine === null) this.#machineless.add(id);
    this.#learnBehind(id, author.human?.id, 'user', by);
    this.#learnBehind(id, author.machine?.id, 'machine', by);
    if (author.machine?.id !== undefined) link(this.#humansOn, author.machine.id, author.human?.id, by);
  }

  #know(target: string, by: Read): void {
    if (!this.#known.has(target)) this.#known.set(target, by);
  }

  #learnBehind(id: string, other: string | undefined, kind: 'user' | 'machine', by: Read): void {
    if (other === undefined) return;
    addTo(this.#everBehind, id, other);
    this.#know(`${kind}:${other}`, by);
  }

  #learnAccess({ channel, pages }: Stream): void {
    const workspace = channel === undefined ? undefined : this.workspaceOfChannel(channel);
    if (workspace === undefined) return;
    const reads: Votes = new Map();
    for (const { agent } of pages) reads.set(agent, (reads.get(agent) ?? 0) + 1);
    for (const [agent, times] of reads) vote(this.#agentWorkspaces, agent, workspace, times);
  }

  #learnDoubts({ channel, pages }: Stream): void {
    if (channel === undefined) return;
    const readers = new Set(pages.map(({ agent }) => agent));
    const isDoubtful = [...readers].some(
      (each) => isOneAgent(each) && (this.#agentWorkspaces.get(each)?.size ?? 0) > 1,
    );
    if (isDoubtful) this.#doubtful.add(channel);
  }
}

/** The credential of whoever asked, whichever agent the answer names: a feed may be of both. */
export function credentialOf(agent: string): string {
  return agent.replace(/ as .*/, '');
}

/**
 * Whether a credential stands for one agent: which one a workspace API key acts as is left open, and a server that lets in
 * somebody unknown may take him for another agent each time.
 */
export function isOneAgent(agent: string): boolean {
  return isKnownCredential(agent) && !/^api-key\b/.test(agent);
}

/** Whether it is a credential that somebody was given, not none at all or one that was made up. */
export function isKnownCredential(agent: string): boolean {
  return !/^(?:anonymous|a stranger to the server)\b/.test(agent);
}

function link<T>(links: Links<T>, one: string, other: string | undefined, by: T): void {
  if (other === undefined) return;
  const known = links.get(one);
  if (known === undefined) links.set(one, new Map([[other, by]]));
  else if (!known.has(other)) known.set(other, by);
}

function vote(votes: Map<string, Votes>, on: string, value: string, times: number): void {
  let of = votes.get(on);
  if (of === undefined) votes.set(on, (of = new Map()));
  of.set(value, (of.get(value) ?? 0) + times);
}

/** The value with the most votes; `undefined` when two have as many. */
function mostOf(votes: Votes | undefined): string | undefined {
  const [first, second] = [...(votes ?? [])].toSorted(([, one], [, other]) => other - one);
  return first !== undefined && first[1] !== second?.[1] ? first[0] : undefined;
}

/** The only key that there is. */
function only(values: ReadonlyMap<string, unknown> | undefined): string | undefined {
  return values?.size === 1 ? [...values.keys()][0] : undefined;
}
