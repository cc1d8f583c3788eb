import type { Identities } from '../../../harness/stream/identities.ts';
import type { Actor } from '../../../harness/client/actor.ts';
import { isSameId } from '../../../oracles/answers/overview.ts';

/**
 * The human or the machine that two agents share, in a word: a message by one of them may count as self-authored for the
 * other, so that nothing can be concluded from its absence. `undefined` when they share neither.
 */
export async function sharedPrincipal(
  identities: Identities,
  one: Actor,
  other: Actor,
): Promise<'human' | 'machine' | undefined> {
  const [first, second] = [await identities.provenance(one), await identities.provenance(other)];
  const isShared = (id: string | undefined, otherId: string | undefined): boolean =>
    id !== undefined && otherId !== undefined && isSameId(id, otherId);
  if (isShared(first.humanUserId, second.humanUserId)) return 'human';
  return isShared(first.machineId, second.machineId) ? 'machine' : undefined;
}
