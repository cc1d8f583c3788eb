import type { Actor } from '../../../harness/client/actor.ts';
import type { Identities, Provenance } from '../../../harness/stream/identities.ts';
import { isSameId } from '../../../spec/oracles/answers/overview.ts';
import { arranged } from '../or-else.ts';

/**
 * Of some agents those that may be of the human or on the machine of an author: that such a one is not the author, whom no preview lists, is
 * only implied. Each sends a message, and who cannot may be anybody's.
 */
export async function relativesOf<Agent extends { readonly actor: Actor }>(
  { provenance }: Pick<Identities, 'provenance'>,
  author: Actor,
  agents: readonly Agent[],
): Promise<readonly Agent[]> {
  if (agents.length === 0) return [];
  const learn = (actor: Actor): Promise<Provenance | undefined> => arranged(() => provenance(actor));
  const own = await learn(author);
  const known = await Promise.all(agents.map(async (agent) => ({ agent, is: await learn(agent.actor) })));
  return known.filter(({ is }) => mayBeRelated(own, is)).map(({ agent }) => agent);
}

function mayBeRelated(one: Provenance | undefined, other: Provenance | undefined): boolean {
  if (one === undefined || other === undefined) return true;
  return (['humanUserId', 'machineId'] as const).some((name) => {
    const [id, otherId] = [one[name], other[name]];
    return id !== undefined && otherId !== undefined && isSameId(id, otherId);
  });
}
