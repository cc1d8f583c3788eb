import { readTarget } from '../harness/config/reading/read-target.ts';
import type { RoleName } from '../harness/config/roles.ts';
import type { Target } from '../harness/config/target.ts';
import type { Reference, World } from '../reference/index.ts';
// Not by way of its index: whoever has its reference in a thread of its own does not load it here.
import { openPaths, referenceSettleMs } from '../reference/model/settings.ts';

/** A target without hooks: every role of a world and both its channels. */
export function targetOfWorld({ baseUrl, world }: Pick<Reference, 'baseUrl' | 'world'>): Target {
  const { target } = readTarget({
    flags: {
      baseUrl,
      workspace: world.workspaceId,
      channel: world.channelId,
      secondChannel: world.secondChannelId,
      tokens: tokensOf(world),
      settleMs: referenceSettleMs,
    },
    env: {},
    cwd: process.cwd(),
  });
  return {
    ...target,
    connection: { ...target.connection, isDirect: true },
    bindings: { ...target.bindings, health: openPaths.health, capabilities: openPaths.capabilities },
  };
}

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
