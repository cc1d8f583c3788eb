import { Actor, type Session } from '../client/actor.ts';
import type { RoleName } from '../config/roles.ts';
import { ChannelView, openChannelView } from '../stream/channel-view.ts';
import { lackable, type Lacking, type Provisioned } from './hook-caller.ts';
import { createIdentities, type Identities, IdentityCache } from '../stream/identities.ts';
import { readEveryView, viewers } from '../stream/every-view.ts';
import { openMentionsView } from '../stream/mentions-view.ts';
import { unmet } from '../verdict/outcome.ts';
import type { RunState } from '../stream/run-state.ts';
import type { StreamView } from '../stream/stream-view.ts';

interface FreshParts extends Provisioned {
  readonly run: RunState;
  readonly session: Session;
}

/**
 * A workspace made for one attempt at a check, whose principals may be renamed, revoked and taken away: nobody else
 * speaks there. What the operator left out ends the check with its precondition not met when it is asked for.
 */
export class FreshWorkspace {
  /** Ids learned in this workspace: those of {@link Always.identities} are the target's. */
  readonly identities: Identities;
  readonly #parts: FreshParts;
  readonly #actors = new Map<RoleName, Actor>();
  readonly #channels = new Map<string, ChannelView>();

  constructor(parts: FreshParts) {
    const { run, target } = parts;
    this.#parts = parts;
    this.identities = createIdentities(
      new IdentityCache(),
      { target, draft: (text) => run.draft(text) },
      (role) => this.optional(role),
      (actor) => openChannelView(target.channelId ?? '', actor, run),
    );
  }

  /** Takes the cursors of its channels, so that all a check sends lies above. */
  async prepare(): Promise<void> {
    const { channelId, secondChannelId } = this.#parts.target;
    const viewer = this.optional('author') ?? this.optional('reader') ?? this.optional('api-key');
    if (viewer === undefined) return;
    for (const id of [channelId, secondChannelId]) {
      if (id !== undefined) this.#channels.set(id, new ChannelView(id, viewer, this.#parts.run));
    }
    await Promise.all([...this.#channels.values()].map((channel) => channel.prepare()));
  }

  get workspaceId(): string {
    return this.#parts.target.workspaceId ?? lackingField('workspace');
  }

  get channel(): ChannelView {
    return this.#channel(this.#parts.target.channelId ?? lackingField('channel'));
  }

  /** For whoever can do without one. */
  get secondChannelId(): string | undefined {
    return this.#parts.target.secondChannelId;
  }

  get secondChannel(): ChannelView {
    return this.#channel(this.#parts.target.secondChannelId ?? lackingField('second_channel'));
  }

  /** Somebody of this workspace; the name in reports tells them from the target's. */
  actor(role: RoleName): Actor {
    return this.optional(role) ?? lackingField(`roles.${role.replaceAll('-', '_')}`);
  }

  /** Somebody whom the operator may have left out. */
  optional(role: RoleName): Actor | undefined {
    const { target, number, session } = this.#parts;
    const token = target.roles[role]?.token;
    const actor =
      this.#actors.get(role) ??
      (token === undefined ? undefined : new Actor(`${role} of fresh workspace ${number}`, token, session));
    if (actor !== undefined) this.#actors.set(role, actor);
    return actor;
  }

  /** Agents of this workspace beside those in the roles: as many as were asked for, or as the hook made. */
  get agents(): readonly Actor[] {
    const { agentTokens, number, session } = this.#parts;
    return agentTokens.map(
      (token, index) => new Actor(`agent ${index + 1} of fresh workspace ${number}`, token, session),
    );
  }

  /** Ids of its shared channels beside those of a target: as many as were asked for, or as the hook made. */
  get furtherChannels(): readonly string[] {
    return this.#parts.channelIds;
  }

  /** How many active members it has beside the humans behind the roles, as the operator says. */
  get furtherMembers(): number {
    return this.#parts.members;
  }

  /** An agent of this workspace that lacks something, as the operator says. */
  without(what: Lacking): Actor {
    const { tokensWithout, number, session } = this.#parts;
    const token = tokensWithout[what] ?? lackingField(`without.${what}`);
    return new Actor(
      `agent without a ${what.replace('_', "'s ")} of fresh workspace ${number}`,
      token,
      session,
    );
  }

  /** Every agent of this workspace that lacks something, by what it lacks. */
  get lacking(): ReadonlyMap<Lacking, Actor> {
    const { tokensWithout } = this.#parts;
    const given = lackable.filter((what) => tokensWithout[what] !== undefined);
    return new Map(given.map((what) => [what, this.without(what)]));
  }

  /** Agents of this workspace that share the reader's human on another machine, or its machine with another human, by what they share. */
  get sharing(): ReadonlyMap<string, Actor> {
    const { tokensSharing, number, session } = this.#parts;
    return new Map(
      Object.entries(tokensSharing).map(([what, token]) => [
        what,
        new Actor(`agent sharing a ${what} of fresh workspace ${number}`, token, session),
      ]),
    );
  }

  /** Whoever has the API key that is to expire, where the operator gave one; by its name judges know it for a key. */
  get secondApiKey(): Actor | undefined {
    return this.#further('api-key that is to expire', this.#parts.secondApiKey);
  }

  /** The machine of the author, where the operator gave its token. */
  get authorMachine(): Actor | undefined {
    return this.#further("author's machine", this.#parts.authorMachineToken);
  }

  /** Whoever has a token that time alone ends, and when it has at the latest, in monotonic ms, where the operator gave one. */
  get shortLived(): { readonly actor: Actor; readonly endsMs: number } | undefined {
    const { shortLived } = this.#parts;
    const actor = this.#further('agent whose token is to expire', shortLived?.token);
    return shortLived && actor && { actor, endsMs: shortLived.endsMs };
  }

  /** Another workspace in which the human behind the machine token is a member, where the operator says so. */
  get secondWorkspaceId(): string | undefined {
    return this.#parts.secondWorkspaceId;
  }

  /** The credential of a role, for the hooks that take one. */
  token(role: RoleName): string {
    return this.#parts.target.roles[role]?.token ?? lackingField(`roles.${role.replaceAll('-', '_')}`);
  }

  /** An agent's mentions as a stream; anchors come from `author`, through the channel of this workspace. */
  feedOf(reader: Actor, author: Actor): Promise<StreamView> {
    const { run, target } = this.#parts;
    const channelId = target.channelId ?? lackingField('channel');
    return openMentionsView(reader, { run, identities: this.identities, channelId, author });
  }

  /** Reads all that agents with a role see here. */
  readEveryView(): Promise<void> {
    const { run, target } = this.#parts;
    return readEveryView(
      run,
      target,
      viewers.flatMap((role) => this.optional(role) ?? []),
    );
  }

  #further(name: string, token: string | undefined): Actor | undefined {
    const { number, session } = this.#parts;
    return token === undefined
      ? undefined
      : new Actor(`${name} of fresh workspace ${number}`, token, session);
  }

  #channel(id: string): ChannelView {
    return this.#channels.get(id) ?? lackingField('roles.author');
  }
}

function lackingField(field: string): never {
  return unmet(`hooks.provision gave no ${field} (docs/hooks.md)`);
}
