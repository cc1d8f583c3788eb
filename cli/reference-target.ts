import type { RoleName } from '../harness/target/roles.ts';
import type { World } from '../reference/index.ts';

/** The token of every role of a world, by the names that targets use. */
export function tokensOf({ roles }: World): Readonly<Record<RoleName, string>> {
  return {
    author: roles.author.token,
    reader: roles.reader.token,
    peer: roles.peer.token,
    stranger: roles.stranger.token,
    outsider: roles.outsider.token,
    expired: roles.expired.token,
    revoked: roles.revoked.token,
    'api-key': roles.apiKey.token,
    machine: roles.machine.token,
  };
}
