import type { Actor } from '../client/actor.ts';
import type { Target } from '../config/target.ts';
import { isEmptyAndStill } from '../../spec/oracles/pages/read-page.ts';
import { unlessStopped } from '../verdict/outcome.ts';
import { ChannelView } from './channel-view.ts';
import { readMentions } from './mentions-view.ts';
import type { RunState } from './run-state.ts';
import type { PageRead } from './page.ts';
import { walk, type Walk } from './walk.ts';

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
      ...channels.map((id) => readChannel(run, new ChannelView(id, agent, run))),
      readFeed(run, agent),
    ]),
  );
}

async function readChannel(run: RunState, channel: ChannelView): Promise<void> {
  // One whose end was not found when the run began is a matter of the checks that need it.
  const start = await unlessStopped(channel.runStart());
  if (start === undefined) return;
  const walked = await channel.walk(start, { maxPages: mostPages });
  await lookAgain(run, walked, (after) => channel.readPage(after, limit));
}

/** The newest page, and all that came since the run first looked. */
async function readFeed(run: RunState, agent: Actor): Promise<void> {
  const { cursors } = run;
  const read = (after: bigint | undefined) => readMentions(agent, after, limit);
  const start = await cursors.start(`mentions of ${agent.name}`, agent.clock, async () => undefined);
  await read(undefined);
  if (start !== undefined) await lookAgain(run, await walk(read, start, { maxPages: mostPages }), read);
}

/** A walk that came to stand still is still there a settle time later, or goes on: nobody writes any more. */
async function lookAgain(
  { surelySettledMs, whole }: RunState,
  { pages, nextAfter }: Walk,
  read: (after: bigint | undefined) => Promise<PageRead>,
): Promise<void> {
  if (!pages.slice(-1).some(isEmptyAndStill)) return;
  await whole.sleep(surelySettledMs, 'settle');
  await read(nextAfter);
}
