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

/** Of a credential by which nothing is changed while it is used: whether it is that of a member, or of somebody who has no access. */
export type Standing = 'member' | 'stranger' | 'outsider';

/**
 * The same where it is known who has access: members were seen to write to some channels of a target, and whatever any of them asks there has to
 * be taken. Credentials are as they stand in `Authorization`.
 */
export function requestFactsOfStanding(
  target: AskedTarget,
  standings: ReadonlyMap<string, Standing>,
  channels: () => readonly string[],
): OracleFacts {
  return {
    ...requestFactsOf(target),
    ownerOf: (token) => {
      const standing = standings.get(`Bearer ${token}`) ?? 'unknown';
      return standing === 'member' ? 'author' : standing;
    },
    channelOf: (id, role) => (role === 'author' && channels().includes(id) ? 'there' : undefined),
  };
}
