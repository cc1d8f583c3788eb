import { randomUUID } from 'node:crypto';
import type { Actor } from '../../../harness/client/actor.ts';
import { isAccepted, type Exchange } from '../../../harness/client/exchange.ts';
import type { ChannelView } from '../../../harness/stream/channel-view.ts';
import type { Always, Context } from '../../../harness/check/context.ts';
import type { HookFixtureByNeed } from '../../../harness/check/hook-fixtures.ts';
import { principalsOf } from '../../../harness/stream/identities.ts';
import { given, unmet } from '../../../harness/verdict/outcome.ts';
import { showsTarget, type NamedTarget } from '../../../spec/oracles/messages/targets.ts';
import { agentTarget } from './proof.ts';
import { lastAgents, requireAccepted, requireAnswered } from './accepted-sends.ts';

type Sending = Pick<Always, 'bindings' | 'draft'>;

/** Somebody who may name more targets than a message has room for. */
export interface Crowd {
  readonly author: Actor;
  readonly channel: ChannelView;
  /** One more than fit; the message named all but the last and was taken. */
  readonly targets: readonly NamedTarget[];
  /** As many, of every kind that is known; absent where those are the same. */
  readonly ofEveryKind?: readonly NamedTarget[];
}

/**
 * As many agents as were asked for and one more, in a workspace beside the target's: a server may refuse whom it does not know, and
 * count once who is named twice. A message that names all but the last has been accepted.
 */
export async function crowdOf(
  most: number,
  { provision }: HookFixtureByNeed['provision-hook'],
  sending: Sending,
): Promise<Crowd> {
  const fresh = await provision({ agents: most + 1, isShared: true });
  const agents = lastAgents(fresh, most + 1);
  const targets = await Promise.all(agents.map((agent) => agentTarget(fresh, agent)));
  const author = fresh.actor('author');
  const others = principalsOf(await fresh.identities.provenance(author)).slice(1);
  const ofEveryKind = [...targets.slice(others.length), ...others];
  const crowd = { author, channel: fresh.channel, targets, ...(others.length > 0 && { ofEveryKind }) };
  const { shown, sent } = await sendToMost(crowd, sending);
  requireAccepted(sent);
  given(shown >= most, `of ${most} targets a message shows ${shown}: see bindings.mentions`, sent);
  return crowd;
}

/**
 * The same without a hook: agents that nobody knows beside the reader, or the reader over and over, whichever the server
 * takes and shows one by one.
 */
export async function anyCrowdOf(
  most: number,
  reader: Actor,
  context: Context<'author' | 'channel'>,
): Promise<Crowd> {
  const { author, channel } = context;
  const target = await agentTarget(context, reader);
  const others = Array.from({ length: most }, () => ({ kind: 'agent', id: randomUUID() }));
  const unknown = { author, channel, targets: [target, ...others] };
  if ((await sendToMost(unknown, context)).shown === most) return unknown;
  const repeated = { author, channel, targets: [target, ...others.map(() => target)] };
  const { shown, sent } = await sendToMost(repeated, context);
  if (isAccepted(sent) && shown === most) return repeated;
  return unmet(`${most} different targets are needed: hooks.provision can make them`, sent);
}

/** Sends a message to all but the last; how many of its targets it shows, 0 when it was refused. */
async function sendToMost(
  { author, channel, targets }: Crowd,
  { bindings, draft }: Sending,
): Promise<{ shown: number; sent: Exchange }> {
  const message = draft();
  const fields = { [bindings.mentions]: targets.slice(0, -1) };
  const sent = await author.send(channel.id, message.text, { fields });
  requireAnswered(sent);
  if (!isAccepted(sent)) return { shown: 0, sent };
  const mentions = (await channel.arrival(message)).message['mentions'];
  const [first] = targets;
  const isTaken = first !== undefined && showsTarget(mentions, first);
  return { shown: isTaken && Array.isArray(mentions) ? mentions.length : 0, sent };
}
