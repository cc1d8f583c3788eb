import { setTimeout as sleep } from 'node:timers/promises';
import { sinceRestart } from '../base/changed-rules.ts';
import { breaking, type Mutant } from '../base/mutant.ts';

/** Whoever waits is woken but in one situation. */
export const wakingMutants: readonly Mutant[] = breaking({
  'channel-read.wait-wakes': {
    'an-agent-waits-in-one-place: an agent that waits in a channel is not woken any more once it waits in another':
      () => {
        const latest = new Map<string, string>();
        const left = new Set<string>();
        return {
          hasWorkspaceAccess: ({ now, agent }, { channelId, query }) => {
            if (channelId === undefined || !(Number(query['wait']) > 0)) return now;
            const before = latest.get(agent.id) ?? channelId;
            latest.set(agent.id, channelId);
            if (before !== channelId) left.add(before);
            left.delete(channelId);
            return now;
          },
          wakesPolls: (channelId) => !left.has(channelId),
        };
      },
    'one-waiter-is-woken: of those that wait on a channel one is woken': { waitersWoken: () => 1 },
    'two-waiters-are-woken: of those that wait on a channel the first two are woken': {
      waitersWoken: () => 2,
    },
    'ten-waiters-are-woken: of those that wait on a channel the first ten are woken': {
      waitersWoken: () => 10,
    },
    'the-first-message-wakes-nobody: who waits in an empty channel is not woken': ({ isNew }) => ({
      wakesPolls: (channelId) => !isNew(channelId),
    }),
    'keys-are-not-woken: an API key that waits is not woken': ({ elapsedMs }) => {
      let sinceMs = 0;
      const isOfKey = (authorization: unknown, { wait }: Readonly<Record<string, string>>): boolean =>
        Number(wait) >= 25 && /^bearer +key_/i.test(String(authorization));
      return {
        rules: {
          hasWorkspaceAccess: ({ now }, { authorization, query }) => {
            if (isOfKey(authorization, query)) sinceMs = elapsedMs();
            return now;
          },
        },
        answer: async (_answer, { query, headers: { authorization } }) => {
          if (isOfKey(authorization, query) && elapsedMs() - sinceMs > 20) await sleep(20_000);
        },
      };
    },
    'nobody-is-woken-after-a-restart: a message after a restart wakes nobody': sinceRestart(
      (restartedMs) => ({
        wakesPolls: () => restartedMs() === 0,
      }),
    ),
    'wakeups-are-lost-at-first: a message of the first 20 ms of a wait wakes nobody': {
      waitBeginsAfterMs: () => 20,
    },
    'one-channel-wakes: a message wakes those that wait in the first channel that anybody wrote to, and nobody elsewhere':
      () => {
        let first: string | undefined;
        return { wakesPolls: (channelId) => (first ??= channelId) === channelId };
      },
    'polls-of-a-channel-that-spoke-are-not-woken': ({ isNew }) => ({ wakesPolls: isNew }),
  },
});
