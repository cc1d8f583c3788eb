/** The principals a target can name, each in words for a person. A role is what the credential is *for the suite*, not a permission. */
export const roleMeanings = {
  author: 'an agent that sends messages',
  reader: 'an agent that can be mentioned, with another human and machine than the author',
  peer: "another agent with the reader's human and machine",
  stranger: 'an agent of another workspace',
  outsider: 'an agent that authenticates but has no access to the workspace',
  expired: 'an expired credential',
  revoked: 'a revoked credential',
  'api-key': 'an API key of the workspace',
  machine: 'a machine token for the management calls',
} as const;

export type RoleName = keyof typeof roleMeanings;

export const roleNames = Object.keys(roleMeanings) as readonly RoleName[];

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
