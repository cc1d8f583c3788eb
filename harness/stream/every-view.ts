import type { Actor } from '../client/actor.ts';
import type { Target } from '../config/target.ts';
import { CheckStopped } from '../verdict/outcome.ts';
import { ChannelView } from './channel-view.ts';
import { readMentions } from './mentions-view.ts';
import type { RunState } from './run-state.ts';
import { walk } from './walk.ts';

/** Agents who look at everything, where there are such. */
export const viewers = ['author', 'reader', 'peer', 'api-key'] as const;

/** Pages of one view that are read at most. */
const mostPages = 30;
const limit = 100;

/**
 * Reads every view of a workspace as each agent there sees it: its channels from where the run found them, and the agent's
 * mentions. No answer is judged here: the judges of the history hold them against all that was read before.
 */
export async function readEveryView(
  run: RunState,
  { channelId, secondChannelId }: Pick<Target, 'channelId' | 'secondChannelId'>,
  agents: readonly Actor[],
): Promise<void> {
  const channels = [channelId, secondChannelId].flatMap((id) => id ?? []);
  await Promise.all(
    agents.flatMap((agent) => [
      ...channels.map((id) => readChannel(new ChannelView(id, agent, run))),
      readFeed(run, agent),
    ]),
  );
}

/** A channel whose end was not found when the run began is a matter of the checks that need it. */
async function readChannel(channel: ChannelView): Promise<void> {
  const start = await channel.runStart().catch((error: unknown) => {
    if (error instanceof CheckStopped) return undefined;
    throw error;
  });
  if (start !== undefined) await channel.walk(start, { maxPages: mostPages });
}

/** The newest page, and all that came since the run first looked. */
async function readFeed({ cursors }: RunState, agent: Actor): Promise<void> {
  const read = (after: bigint | undefined) => readMentions(agent, after, limit);
  const start = await cursors.start(`mentions of ${agent.name}`, agent.clock, async () => undefined);
  await Promise.all([read(undefined), start === undefined ? [] : walk(read, start, { maxPages: mostPages })]);
}
