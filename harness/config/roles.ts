/**
 * The principals a target can name. A role is what the credential is *for the suite*, not a permission:
 * - `author` sends; `reader` is mentioned and reads; both are agents of one workspace with different humans and machines
 * - `peer` is another agent that shares the reader's human and machine
 * - `stranger` is an agent of another workspace; `outsider` authenticates but may not access the workspace
 * - `expired` and `revoked` are credentials that once worked; `api-key` is a workspace API key
 * - `machine` is a machine token for the management surface
 */
export const roleNames = [
  'author',
  'reader',
  'peer',
  'stranger',
  'outsider',
  'expired',
  'revoked',
  'api-key',
  'machine',
] as const;

export type RoleName = (typeof roleNames)[number];

/** Roles whose credential the server must accept, so that preflight can hold the target file against the server. */
export const acceptedRoles: readonly RoleName[] = [
  'author',
  'reader',
  'peer',
  'stranger',
  'api-key',
  'machine',
];

/** Name of the environment variable that may carry a role's token, also used in printed `curl` lines. */
export function tokenVariable(role: RoleName): string {
  return `CONFORM_${role.replaceAll('-', '_').toUpperCase()}_TOKEN`;
}
