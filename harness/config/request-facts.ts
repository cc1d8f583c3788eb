import type { OracleFacts } from '../../spec/oracles/requests/expectation.ts';
import type { RoleName } from './roles.ts';
import type { Target } from './target.ts';

/** What of a target tells how a request is to be answered. */
type AskedTarget = Pick<Target, 'bindings' | 'names'> &
  Partial<Pick<Target, 'channelId' | 'secondChannelId' | 'workspaceId'>>;

/** Roles whose credential opens the target's own workspace and no other: what others open depends on where they ask. */
const ownRoles: readonly (RoleName | undefined)[] = ['author', 'reader', 'peer', 'api-key', 'machine'];

/**
 * What is known of a target while checks run: the operator may make other channels, agents and credentials at any time, so that
 * nothing is said of those. `good` are credentials that were seen accepted, as they stand in `Authorization`.
 */
export function requestFactsOf(
  { bindings, names, channelId, secondChannelId, workspaceId }: AskedTarget,
  good: ReadonlyMap<string, RoleName> = new Map(),
): OracleFacts {
  return {
    bindings,
    names,
    provedFields: new Set(),
    demands: { mentions: new Set(), refused: new Map() },
    ownerOf: (token) => {
      const role = good.get(`Bearer ${token}`);
      return ownRoles.includes(role) ? role : 'unknown';
    },
    workspaceId,
    // The author writes to both channels; other agents may have joined only one of them.
    channelOf: (id, role) =>
      role === 'author' && (id === channelId || id === secondChannelId) ? 'there' : undefined,
  };
}
