import { isRecord, type JsonRecord } from '../../spec/calls/index.ts';
import { isUuid } from '../../spec/index.ts';
import { isSameId } from '../../spec/oracles/answers/overview.ts';
import type { Actor } from '../client/actor.ts';
import { type Exchange, headerOf, isAccepted } from '../client/exchange.ts';
import { acceptedRoles, type RoleName } from '../config/roles.ts';
import type { Target } from '../config/target.ts';
import { CheckStopped, describeAnswer, uncredited, unmet } from '../verdict/outcome.ts';
import type { StreamView } from './stream-view.ts';
import type { RunState } from './run-state.ts';
import { remembered } from '../../spec/groups.ts';

/** Who an agent is, as the author of its own messages shows it. */
export interface Provenance {
  readonly agentId: string;
  readonly humanUserId: string | undefined;
  readonly machineId: string | undefined;
  readonly workspaceId: string | undefined;
}

/**
 * Ids that are learned from the server rather than configured, once per run: an agent's from the header of its mentions, or, where that is
 * not there or names somebody else, from a message it sends, as its human's and machine's are.
 */
export interface Identities {
  readonly agentId: (actor: Actor) => Promise<string>;
  readonly provenance: (actor: Actor) => Promise<Provenance>;
  /**
   * Ends the check unless the server shows a message of this actor that was sent during the run. A read-only run sends
   * none and asks for nothing: there a refusal and its accepted control stand alone.
   */
  readonly memory: (actor: Actor) => Promise<void>;
  readonly workspaceId: () => Promise<string>;
  /**
   * Asks again for every id that was taken from a header, once something was seen broken by it: whether one was wrong, and is
   * known now from its own messages. A server that mixes up who is asking does so now and then; one that names another agent
   * every time is believed.
   */
  readonly correct: () => Promise<boolean>;
}

/** What has been learned so far, shared by all checks of a run. */
export class IdentityCache {
  readonly #known = new Map<string, Promise<unknown>>();
  /** Who was called by an agent id first, by that id in lower case. */
  readonly #named = new Map<string, string>();
  /** Ids from a header that were not asked for again yet, by the name of the actor. */
  readonly #ofHeader = new Map<string, string>();
  /** Who is being asked again, by the name of the actor. */
  readonly #asking = new Map<string, Promise<boolean>>();
  readonly #onCorrected: () => void;
  #isInVain = false;
  #corrections = 0;

  /** `onCorrected` is called as soon as an id turns out wrong: what was made by it is of no use. */
  constructor(onCorrected: () => void = () => {}) {
    this.#onCorrected = onCorrected;
  }

  /** How many ids turned out wrong: what was seen by one of them says nothing. */
  get corrections(): number {
    return this.#corrections;
  }

  /** Learns once; a failure is not kept, so that the next check tries by itself. */
  once<T>(key: string, { clock }: Pick<Actor, 'clock'>, learn: () => Promise<T>): Promise<T> {
    const known = this.#known.get(key);
    // Who learns it has a clock of its own, which may stand still.
    if (known !== undefined) return clock.untimed(() => known as Promise<T>);
    const learned = learn();
    this.#known.set(key, learned);
    learned.catch(() => this.#known.delete(key));
    return learned;
  }

  /**
   * What can be learned of a message; nothing more is tried once one was not shown, since each is waited for. One that was refused, as that of an
   * agent without access, says nothing of the others.
   */
  async attempt<T>(learn: () => Promise<T>): Promise<T | undefined> {
    if (this.#isInVain) return undefined;
    return learn().catch((error: unknown) => {
      if (!wasRefused(error)) this.#isInVain = true;
      return undefined;
    });
  }

  /** Notes an id that was taken from a header. */
  noteOfHeader({ name }: Actor, id: string): void {
    this.#ofHeader.set(name, id);
  }

  /** Asks again, once, for the id of an actor that was taken from a header; who comes meanwhile waits for what that comes to. */
  askAgain({ name }: Actor, ask: (id: string) => Promise<boolean>): Promise<boolean> {
    const id = this.#ofHeader.get(name);
    if (id !== undefined) {
      this.#ofHeader.delete(name);
      const asking = ask(id).finally(() => this.#asking.delete(name));
      this.#asking.set(name, asking);
    }
    return this.#asking.get(name) ?? Promise.resolve(false);
  }

  /** Takes another id for that of an actor from now on. */
  correct({ name }: Actor, id: string): void {
    this.#known.set(`agent ${name}`, Promise.resolve(id));
    this.#corrections += 1;
    this.#onCorrected();
  }

  /** Notes that an actor is called by an agent id; true when another one was before. */
  isTaken(agentId: string, { name }: Actor): boolean {
    return remembered(this.#named, agentId.toLowerCase(), () => name) !== name;
  }
}

/** Where ids are learned: a target, and contents to send there. */
type LearningPlace = Pick<RunState, 'draft'> & {
  readonly target: Pick<Target, 'channelId' | 'workspaceId' | 'names' | 'limits'>;
};

/** Binds what a run learns to the actors and the channel of one attempt. */
export function createIdentities(
  cache: IdentityCache,
  run: LearningPlace,
  actorOf: (role: RoleName) => Actor | undefined,
  openChannel: (actor: Actor) => Promise<StreamView>,
): Identities {
  const asked = new Map<string, Actor>();
  const shownId = async (actor: Actor): Promise<string | undefined> =>
    run.target.limits.isReadOnly ? undefined : (await cache.attempt(() => provenance(actor)))?.agentId;
  const agentId = (actor: Actor): Promise<string> => {
    asked.set(actor.name, actor);
    return cache.once(`agent ${actor.name}`, actor, async () => {
      const named = learnAgentId(actor, run);
      const id = await named.catch(() => undefined);
      if (id === undefined || cache.isTaken(id, actor)) return (await shownId(actor)) ?? named;
      cache.noteOfHeader(actor, id);
      return id;
    });
  };
  const isCorrected = (actor: Actor): Promise<boolean> =>
    cache.askAgain(actor, async (id) => {
      if (await isNamedAgain(actor, id, run)) return false;
      const shown = await shownId(actor);
      if (shown === undefined || isSameId(shown, id)) return false;
      cache.correct(actor, shown);
      return true;
    });
  const ownMessage = (actor: Actor): Promise<JsonRecord> =>
    cache.once(`own message ${actor.name}`, actor, async () => {
      const { channelId } = run.target;
      if (channelId === undefined) return unmet('there is no channel to send it to');
      // Its cursor is taken before the message is sent, which therefore lies above it.
      const channel = await openChannel(actor);
      const draft = run.draft("conform: reading back the author's id");
      const sent = await actor.send(channelId, draft.text);
      if (!isAccepted(sent)) unmet(`${actor.name} could not send one (${describeAnswer(sent)})`, sent);
      return (await channel.arrival(draft)).message;
    });
  const provenance = async (actor: Actor): Promise<Provenance> =>
    run.target.limits.isReadOnly
      ? unmet('a read-only run sends no message to learn ids from')
      : unmetFor('ids are learned from a message', ownMessage(actor).then(provenanceOf));
  return {
    agentId,
    provenance,
    correct: async () => {
      for (const actor of acceptedRoles.map(actorOf)) if (actor !== undefined) asked.set(actor.name, actor);
      return (await Promise.all([...asked.values()].map(isCorrected))).includes(true);
    },
    memory: async (actor) => {
      if (!run.target.limits.isReadOnly) await unmetFor(uncredited, ownMessage(actor));
    },
    workspaceId: async () => {
      if (run.target.workspaceId !== undefined) return run.target.workspaceId;
      const author = actorOf('author') ?? unmet('no workspace id is given and no author to learn it from');
      return (
        (await provenance(author)).workspaceId ??
        unmet('the workspace id could not be learned from a message')
      );
    },
  };
}

/** Whether a message that somebody was to be learned by was not accepted. */
function wasRefused(error: unknown): boolean {
  if (!(error instanceof CheckStopped) || error.stop.kind !== 'unmet') return false;
  const { exchange } = error.stop;
  return exchange?.request.call === 'send' && !isAccepted(exchange);
}

/** Puts before the reason of a precondition that is not met what it is one of. */
async function unmetFor<Result>(what: string, work: Promise<Result>): Promise<Result> {
  return work.catch((error: unknown) => {
    if (!(error instanceof CheckStopped) || error.stop.kind !== 'unmet') throw error;
    return unmet(`${what}: ${error.stop.reason}`, error.stop.exchange);
  });
}

/** A server that mixes up who is asking does so now and then: what two answers say together is taken, or two of three. */
async function learnAgentId(actor: Actor, run: LearningPlace): Promise<string> {
  const ask = async (): Promise<string> => namedBy(await actor.mentions({ limit: 1 }), actor, run);
  const [one, other] = await Promise.all([ask(), ask()]);
  if (one === other) return one;
  const again = await ask();
  return again === one || again === other
    ? again
    : unmet(`${run.target.names.agentIdHeader} named three agents to ${actor.name}`);
}

/** Whether every one of three answers names an actor by an id once more. */
async function isNamedAgain(
  actor: Actor,
  id: string,
  { target: { names } }: LearningPlace,
): Promise<boolean> {
  for (let times = 0; times < 3; times += 1) {
    const named = headerOf(await actor.mentions({ limit: 1 }), names.agentIdHeader);
    if (named !== undefined && !isSameId(named, id)) return false;
  }
  return true;
}

function namedBy(exchange: Exchange, actor: Actor, { target: { names } }: LearningPlace): string {
  const id = headerOf(exchange, names.agentIdHeader);
  return isAccepted(exchange) && id !== undefined && isUuid(id)
    ? id
    : unmet(`the agent id of ${actor.name} could not be learned from ${names.agentIdHeader}`, exchange);
}

/** Everybody who stands behind an agent, and itself: whom a message can name in order to reach it. */
export function principalsOf({ agentId, humanUserId, machineId }: Provenance) {
  return [
    { kind: 'agent', id: agentId } as const,
    ...(humanUserId === undefined ? [] : [{ kind: 'user', id: humanUserId } as const]),
    ...(machineId === undefined ? [] : [{ kind: 'machine', id: machineId } as const]),
  ];
}

/**
 * Who stands behind a message, as its author shows it.
 * @throws CheckStopped when it shows no usable agent
 */
export function provenanceOf(message: JsonRecord): Provenance {
  const author = isRecord(message['author']) ? message['author'] : {};
  const agentId = idOf(author) ?? unmet('a message shows no usable author id');
  return {
    agentId,
    humanUserId: idOf(author['human_user']),
    machineId: idOf(author['machine']),
    workspaceId: typeof message['workspace_id'] === 'string' ? message['workspace_id'] : undefined,
  };
}

/** An id that is no UUID is of no use: whatever names it is refused for that. */
function idOf(value: unknown): string | undefined {
  const id = isRecord(value) ? value['id'] : undefined;
  return typeof id === 'string' && isUuid(id) ? id : undefined;
}
