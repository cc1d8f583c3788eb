import type { FreshWorkspace } from '../../../harness/check/fresh-workspace.ts';
import type { Actor } from '../../../harness/client/actor.ts';
import type { Always, Context } from '../../../harness/check/context.ts';
import { isAccepted, type Exchange } from '../../../harness/client/exchange.ts';
import type { RoleName } from '../../../harness/config/roles.ts';
import type { ChannelView } from '../../../harness/stream/channel-view.ts';
import { readPage } from '../../../harness/stream/page.ts';
import { describeAnswer, unmet } from '../../../harness/verdict/outcome.ts';
import { eventually } from '../eventually.ts';
import { mention } from '../mentions/mentioning.ts';
import { arranged } from '../or-else.ts';
import { remembered } from '../../../spec/groups.ts';

/** A workspace in which calls are made, as one attempt at a check sees it. */
export interface Place {
  /** `own` is the target's; in a `quiet` one nobody writes once it is ready, so that the end of a stream stays its end. */
  readonly name: 'own' | 'quiet' | 'fresh';
  readonly actor: (role: RoleName) => Actor | undefined;
  readonly agentId: (actor: Actor) => Promise<string>;
  readonly workspaceId: () => Promise<string>;
  readonly channel: ChannelView;
  /** Another of its channels, where one is known. */
  readonly secondChannelId?: string | undefined;
  /** A ready file of the workspace. */
  readonly fileId: () => Promise<string>;
  /** What is learned or made there once for all checks that ask, or for this attempt alone where the place is its own. */
  readonly once: <T>(name: string, make: () => Promise<T>) => Promise<T>;
}

/** A place made for one attempt, and what the operator's hooks need of it. */
export interface FreshPlace extends Place {
  readonly fresh: FreshWorkspace;
}

/** Cursors of one stream that were given out: one at its beginning, and one at its end. */
export interface IssuedCursors {
  readonly issued: bigint;
  readonly end: bigint;
}

/** The target's own workspace. */
export function ownPlace(context: Context<'channel'>): Place {
  return {
    name: 'own',
    actor: context.optional,
    agentId: context.identities.agentId,
    workspaceId: context.identities.workspaceId,
    channel: context.channel,
    secondChannelId: context.secondChannelId,
    fileId: async () => (await context.readyFiles(1))[0] ?? unmet('there is no file to ask for'),
    once: (name, make) => context.shared(`own workspace: ${name}`, make),
  };
}

/** A workspace with a message, two mentions of its author and one of its reader, where nothing else is sent; `undefined` where none can be made. */
export async function quietPlace(context: Always): Promise<Place | undefined> {
  const hook = context.optionalHook('provision-hook');
  if (hook === undefined) return undefined;
  return arranged(async () => {
    const fresh = await hook.provision({ isShared: 'quiet' });
    const place: Place = {
      name: 'quiet',
      actor: (role) => fresh.optional(role),
      agentId: fresh.identities.agentId,
      workspaceId: async () => fresh.workspaceId,
      channel: fresh.channel,
      fileId: () => place.once('a file', () => uploadIn(context, fresh)),
      once: (name, make) => context.shared(`quiet workspace: ${name}`, make),
    };
    await place.once('a message and three mentions', () => fill(context, place, ['author']));
    return place;
  });
}

/** A workspace made for this attempt, where agents who may lose it all have a message and two mentions each. */
export async function freshPlace(
  context: Context<'provision-hook'>,
  mentioned: readonly RoleName[],
): Promise<FreshPlace> {
  const fresh = await context.provision();
  const made = new Map<string, Promise<unknown>>();
  const place: FreshPlace = {
    name: 'fresh',
    fresh,
    actor: (role) => fresh.optional(role),
    agentId: fresh.identities.agentId,
    workspaceId: async () => fresh.workspaceId,
    channel: fresh.channel,
    secondChannelId: fresh.secondChannelId,
    fileId: () => place.once('a file', () => uploadIn(context, fresh)),
    once: <T>(name: string, make: () => Promise<T>) => remembered(made, name, make) as Promise<T>,
  };
  if (mentioned.length > 0) await fill(context, place, mentioned);
  return place;
}

/** A file of a workspace that was made: only the operator puts one there. */
async function uploadIn({ marker, optionalHook }: Always, fresh: FreshWorkspace): Promise<string> {
  const hook = optionalHook('file-hook') ?? unmet('the target has no hooks.file');
  const file = { filename: `${marker()}txt`, contentType: 'text/plain', content: marker() };
  return hook.files.upload({ ...file, token: fresh.token('author'), isUnusual: true });
}

/** The same place, where somebody else holds the credential that opens the calls of agents. */
export function heldBy(place: Place, role: RoleName): Place {
  return {
    ...place,
    actor: (each) => place.actor(each === 'author' && role !== 'machine' ? role : each),
    once: (name, make) => place.once(`${role}: ${name}`, make),
  };
}

/** The same workspace, in its second channel, with a message in it; `undefined` where there is none that its author can use. */
export function otherChannelOf(
  context: Pick<Always, 'draft'>,
  place: FreshPlace,
): Promise<Place | undefined> {
  return arranged(async () => {
    const { secondChannel: channel } = place.fresh;
    const message = context.draft();
    const sent = await place.fresh.actor('author').send(channel.id, message.text);
    if (!isAccepted(sent)) unmet(`a send got ${describeAnswer(sent)}`, sent);
    await channel.arrival(message);
    return { ...place, channel, once: (name, make) => place.once(`other channel: ${name}`, make) };
  });
}

/** The cursors of the author's mentions. */
export function mentionCursors({ actor, once }: Place): Promise<IssuedCursors> {
  return once('cursors of the mentions', async () => {
    const holder = actor('author') ?? unmet('no author is there whose mentions could be read');
    const answers = [holder.mentions({ after: 0, limit: 1 }), holder.mentions({ limit: 1 })];
    const [oldest, newest] = (await Promise.all(answers)).map(cursorIn);
    return { issued: oldest ?? 0n, end: newest ?? 0n };
  });
}

/** The cursors of the channel; where others write to it its end may have moved on since. */
export function channelCursors({ channel, once }: Place): Promise<IssuedCursors> {
  return once('cursors of the channel', async () => {
    const [oldest, end] = await Promise.all([channel.readPage(0n, 1), channel.since()]);
    const issued = oldest.nextAfter ?? unmet('the channel gives no cursor', oldest.exchange);
    return { issued, end: end ?? unmet('the end of the channel is not known') };
  });
}

/** Sends what a quiet workspace holds, and waits until it is shown: as much of it as its agents can. */
async function fill(
  context: Pick<Always, 'bindings' | 'draft' | 'settleMs' | 'clock'>,
  { actor, agentId, channel }: Place,
  mentioned: readonly RoleName[],
): Promise<void> {
  const author = actor('author') ?? unmet('no author is there who could send a message');
  const message = context.draft();
  const [sent, ...ids] = await Promise.all([
    author.send(channel.id, message.text),
    ...mentioned.map((role) => arranged(async () => agentId(actor(role) ?? unmet(`no ${role} is there`)))),
  ]);
  if (!isAccepted(sent)) unmet(`a send got ${describeAnswer(sent)}`, sent);
  const targets = ids.flatMap((id) => (id === undefined ? [] : [{ kind: 'agent', id } as const]));
  const mentions = await arranged(async () => {
    const from = actor('reader') ?? unmet('no reader is there who could mention them');
    const { id: channelId } = channel;
    const naming = { from, channelId, targets };
    const back = { from: author, channelId, targets: [{ kind: 'agent', id: await agentId(from) }] as const };
    // One after the other: the page after the first is empty for neither of them, and that after the last for both.
    return [await mention(context, naming), await mention(context, back), await mention(context, naming)];
  });
  // Whoever asks for the end of the channel finds it behind all that arrived.
  await channel.arrivals([message, ...(mentions ?? [])]);
  if (mentions === undefined || targets.length === 0) return;
  const named = mentioned.flatMap((role, index) => (ids[index] === undefined ? [] : (actor(role) ?? [])));
  const ask = (): Promise<Exchange[]> => Promise.all(named.map((each) => each.mentions({ limit: 2 })));
  await eventually(context, ask, (feeds) => feeds.every((feed) => readPage(feed).items.length >= 2));
}

function cursorIn(exchange: Exchange): bigint {
  return readPage(exchange).nextAfter ?? unmet('a page gives no cursor', exchange);
}
