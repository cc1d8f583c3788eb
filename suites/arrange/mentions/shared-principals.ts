import type { RoleName } from '../../../harness/config/roles.ts';
import type { Identities, Provenance } from '../../../harness/stream/identities.ts';
import type { Actor } from '../../../harness/client/actor.ts';
import { isSameId } from '../../../spec/oracles/answers/overview.ts';

/** The roles whose agents share a human or a machine, whatever their messages show of it. */
export const siblings: ReadonlySet<RoleName> = new Set<RoleName>(['reader', 'peer']);

/**
 * The human or the machine that two agents share, in a word: a message by one of them may count as self-authored for the
 * other, so that nothing can be concluded from its absence. `undefined` when they share neither.
 */
export async function sharedPrincipal(
  identities: Identities,
  one: Actor,
  other: Actor,
): Promise<'human' | 'machine' | undefined> {
  return sharedBy(await identities.provenance(one), await identities.provenance(other));
}

/** The same of two of whom all is known that can be. */
export function sharedBy(
  first: Pick<Provenance, 'humanUserId' | 'machineId'>,
  second: Pick<Provenance, 'humanUserId' | 'machineId'>,
): 'human' | 'machine' | undefined {
  const isShared = (id: string | undefined, otherId: string | undefined): boolean =>
    id !== undefined && otherId !== undefined && isSameId(id, otherId);
  if (isShared(first.humanUserId, second.humanUserId)) return 'human';
  return isShared(first.machineId, second.machineId) ? 'machine' : undefined;
}
