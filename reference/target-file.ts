import { stringify } from 'yaml';
import type { Reference } from './start.ts';
import { openPaths, referenceSettleMs } from './model/settings.ts';
import type { RoleName } from './model/world.ts';

/** A target file, as YAML text, that points at a running reference service in every role. */
export function targetFileOf({ baseUrl, world }: Pick<Reference, 'baseUrl' | 'world'>): string {
  return stringify({
    base_url: baseUrl,
    workspace: world.workspaceId,
    channel: world.channelId,
    second_channel: world.secondChannelId,
    bindings: { ...openPaths },
    settle_ms: referenceSettleMs,
    roles: Object.fromEntries(targetRoles.map(([name, role]) => [name, world.roles[role].token])),
  });
}

/** Role names of a target file, in the order in which they are written. */
const targetRoles: readonly (readonly [string, RoleName])[] = [
  ['author', 'author'],
  ['reader', 'reader'],
  ['peer', 'peer'],
  ['stranger', 'stranger'],
  ['outsider', 'outsider'],
  ['expired', 'expired'],
  ['revoked', 'revoked'],
  ['api_key', 'apiKey'],
  ['machine', 'machine'],
];
