import { isRecord } from '../../../spec/calls/index.ts';
import { validate } from '../../../spec/index.ts';
import type { Actor } from '../../../harness/client/actor.ts';
import type { Exchange } from '../../../harness/client/exchange.ts';
import type { PageItem } from '../../../harness/stream/page.ts';
import type { Context } from '../../../harness/check/context.ts';
import { given } from '../../../harness/verdict/outcome.ts';
import { showsTarget, type NamedTarget } from '../../../spec/oracles/messages/targets.ts';
import { requireAccepted } from './accepted-sends.ts';

/** A message that was sent with more than its content, and how it arrived. */
interface Carried {
  readonly item: PageItem;
  readonly sent: Exchange;
  /** The targets as the channel shows them, or as the feed does where the channel leaves them out; `undefined` where both do. */
  readonly mentions: unknown;
  /** The read that shows them so. */
  readonly shownBy: Exchange;
}

/**
 * Sends a message that names `targets`, the reader's agent the first of them, and proves that the server took them from
 * the field that the bindings name: the message shows the agent, or is among its mentions. Until then a missing target
 * may only be a field that is called otherwise.
 */
export async function sendMentioning(
  { author, bindings, channel, draft, feedOf }: Context<'author' | 'channel'>,
  reader: Actor,
  [agent, ...others]: readonly [NamedTarget, ...NamedTarget[]],
): Promise<Carried> {
  const feed = await feedOf(reader, author);
  const mention = draft();
  const fields = { [bindings.mentions]: [agent, ...others] };
  const sent = await author.send(channel.id, mention.text, { fields });
  requireAccepted(sent);
  const item = await channel.arrival(mention);
  const isInChannel = showsTarget(item.message['mentions'], agent);
  const listed = isInChannel ? item : await feed.arrival(mention);
  const [inChannel, inFeed] = [
    item.message['mentions'] ?? undefined,
    listed.message['mentions'] ?? undefined,
  ];
  const shownBy = (inChannel === undefined ? listed : item).exchange;
  return { item, sent, mentions: inChannel ?? inFeed, shownBy };
}

/** The agent itself as a target. */
export async function agentTarget(
  { identities }: Pick<Context<never>, 'identities'>,
  agent: Actor,
): Promise<NamedTarget> {
  return { kind: 'agent', id: await identities.agentId(agent) };
}

/** Ends the check with its precondition not met when what a message shows as targets are none: another clause speaks of their form. */
export function requireTargets(shown: unknown): void {
  given(
    shown !== undefined && shown !== null,
    'the message does not show whom it names, as a server may leave it out',
  );
  const isWellFormed =
    Array.isArray(shown) && shown.every((each) => validate('mention-target', each).length === 0);
  given(isWellFormed, 'a message shows mention targets that cannot be understood');
}

/** Ends the check with its precondition not met unless a message shows the host it was sent with. */
export function requireHostBinding({ message }: PageItem, host: string): void {
  const { author } = message;
  const isShown = isRecord(author) && author['agent_host'] === host;
  given(
    isShown,
    'the channel does not show the field of a send that reports the host: see bindings.agent_host, or name agent_host under without if this server has none',
  );
}
