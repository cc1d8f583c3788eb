import { Actor, type Session } from '../client/actor.ts';
import { ChannelView } from '../stream/channel-view.ts';
import type { Check } from '../check/check.ts';
import { unlessStopped } from '../verdict/outcome.ts';
import type { RunState } from '../stream/run-state.ts';

/**
 * Finds where the channels of the target end before the first check begins: what they held before is no part of its
 * time. One whose end is not found here stays a matter of the checks that need it, which say why.
 */
export async function findStarts(checks: readonly Check[], run: RunState, session: Session): Promise<void> {
  const { channelId, secondChannelId, roles } = run.target;
  const role = (['author', 'reader', 'api-key'] as const).find((name) => roles[name] !== undefined);
  if (role === undefined) return;
  const viewer = new Actor(role, roles[role]?.token, session);
  const isNeeded = (need: 'channel' | 'second-channel'): boolean =>
    checks.some(({ needs }) => needs.includes(need));
  const ids = [
    isNeeded('channel') ? channelId : undefined,
    isNeeded('second-channel') ? secondChannelId : undefined,
  ].flatMap((id) => id ?? []);
  await Promise.all(ids.map((id) => unlessStopped(new ChannelView(id, viewer, run).runStart())));
}
