import type { Always } from '../../../harness/check/context.ts';
import type { Actor } from '../../../harness/client/actor.ts';
import type { ChannelView } from '../../../harness/stream/channel-view.ts';
import { principalsOf, type Provenance } from '../../../harness/stream/identities.ts';
import type { Draft } from '../../../harness/stream/stream-view.ts';
import { isSameId } from '../../../spec/oracles/answers/overview.ts';
import { showsTarget, type NamedTarget } from '../../../spec/oracles/messages/targets.ts';
import { arranged } from '../or-else.ts';
import { mention } from './mentioning.ts';

/** So many targets a message has at most. */
const mostTargets = 20;

/** Somebody who names others, or is named. */
interface Speaker extends Provenance {
  readonly actor: Actor;
}

/** A message of one that reaches another by one of its targets. */
interface Reaching<One> {
  readonly from: One;
  readonly to: One;
  readonly target: NamedTarget;
  readonly draft: Draft;
}

/**
 * Messages of one that name all others with whom it shares nobody: as agents, as humans and as machines; and one in which a target stands
 * twice before another. Of each whom it reaches by which target, as far as it was taken and the channel shows it so.
 */
export async function nameTogether<One extends Speaker>(
  context: Pick<Always, 'draft' | 'bindings'>,
  channel: ChannelView,
  from: One,
  strangers: readonly One[],
): Promise<readonly Reaching<One>[]> {
  const ways = strangers.flatMap((to) => principalsOf(to).map((target) => ({ to, target })));
  const lists = ['agent', 'user', 'machine'].map((kind) => {
    const ofKind = ways.flatMap(({ target }) => (target.kind === kind ? target : []));
    return ofKind
      .filter(({ id }, at) => ofKind.findIndex((other) => isSameId(other.id, id)) === at)
      .slice(0, mostTargets);
  });
  const [one, other] = lists[0] ?? [];
  const repeated = one === undefined || other === undefined ? [] : [one, one, other];
  const sent = await Promise.all(
    [...lists, repeated]
      .filter(({ length }) => length > 1)
      .map(async (targets) => {
        const naming = { from: from.actor, channelId: channel.id, targets };
        const draft = await arranged(() => mention(context, naming));
        return draft === undefined ? [] : [{ targets, draft }];
      }),
  );
  const taken = sent.flat();
  const shown = await channel.arrivals(taken.map(({ draft }) => draft));
  return taken.flatMap(({ targets, draft }, at) => {
    const isNamed = ({ target }: (typeof ways)[number]): boolean =>
      targets.some(({ kind, id }) => kind === target.kind && isSameId(id, target.id)) &&
      showsTarget(shown[at]?.message['mentions'], target);
    return ways.filter(isNamed).map((way) => ({ ...way, from, draft }));
  });
}
