import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Actor } from '../../harness/client/actor.ts';
import { Client, type Traffic } from '../../harness/client/client.ts';
import { isAccepted } from '../../harness/client/exchange.ts';
import { settleMsOf, type Target } from '../../harness/config/target.ts';
import { readPage, workspaceOn } from '../../harness/stream/page.ts';
import { isUuid } from '../../spec/index.ts';

/** How a target is asked, and by whose environment. */
export interface LearningOptions {
  readonly roundTripMs: number;
  readonly signal: AbortSignal;
  readonly env: NodeJS.ProcessEnv;
  readonly limitPatienceMs?: number | undefined;
}

/** A target as far as it is known now, and what it took to learn that. */
interface Learned {
  readonly target: Target;
  /** `undefined` where nothing was asked. */
  readonly traffic?: Traffic;
}

/** Between two looks at a channel, in ms. */
const lookEveryMs = 50;

/**
 * The target with its workspace, which a message of its channel names. Where the channel is empty the author sends one, unless the
 * target is read-only. Only a machine asks for a workspace: without one nothing is learned.
 */
export async function withWorkspace(
  target: Target,
  { roundTripMs, signal, env, limitPatienceMs }: LearningOptions,
): Promise<Learned> {
  const { channelId, workspaceId, roles, limits, bindings } = target;
  const { author: credential, machine } = roles;
  if (
    workspaceId !== undefined ||
    channelId === undefined ||
    credential === undefined ||
    machine === undefined
  )
    return { target };
  const client = new Client({
    target,
    timeouts: { connectMs: 5_000, answerMs: 5_000 + 10 * roundTripMs },
    env,
    ...(limitPatienceMs === undefined ? {} : { limitPatienceMs }),
  });
  const author = new Actor('author', credential.token, { client, signal, record: () => undefined });
  const look = async (): Promise<string | undefined> => {
    const read = await author.readChannel(channelId, { after: 0, limit: 1 });
    const named = workspaceOn(readPage(read, bindings.items));
    return named !== undefined && isUuid(named) ? named : undefined;
  };
  try {
    let named = await look();
    if (named === undefined && !limits.isReadOnly) {
      // Marked like everything that a run writes, and with a number that no case uses.
      const content = `cf-${randomBytes(8).toString('hex')}-0. conform: which workspace is this?`;
      const isSent = isAccepted(await author.send(channelId, content));
      const deadlineMs = performance.now() + settleMsOf(target, roundTripMs);
      while (isSent && named === undefined && performance.now() < deadlineMs && !signal.aborted) {
        named = await look();
        if (named === undefined) await sleep(lookEveryMs, undefined, { signal }).catch(() => undefined);
      }
    }
    return {
      target: named === undefined ? target : { ...target, workspaceId: named },
      traffic: client.traffic,
    };
  } finally {
    await client.close();
  }
}
