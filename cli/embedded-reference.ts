import { readTarget } from '../harness/target/read-target.ts';
import type { Target } from '../harness/target/target.ts';
import { referenceSettleMs, startReference } from '../reference/index.ts';
import type { Reference } from '../reference/index.ts';
import { hooksOfReference } from './reference-hooks.ts';
import { tokensOf } from './reference-target.ts';

/** A reference of our own on a free loopback port, with everything a target can have. */
export async function openReference(): Promise<{ target: Target; close: () => Promise<void> }> {
  const reference = await startReference();
  return { target: targetOfReference(reference), close: () => reference.close() };
}

/** The target that a started reference is: every role of its world, both channels, every hook. */
export function targetOfReference(reference: Pick<Reference, 'baseUrl' | 'world' | 'operator'>): Target {
  return { ...targetOfWorld(reference), hooks: hooksOfReference(reference) };
}

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
  return target;
}
