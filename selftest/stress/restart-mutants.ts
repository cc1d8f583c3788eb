import { concurrencyMutants, meeting } from './concurrency-mutant.ts';

/** Servers that go wrong at a restart under load. */
export const restartMutants = concurrencyMutants(
  {
    'restart-loses-the-newest: a restart loses the newest acknowledged message of each channel': {
      shows: ['lost-across-restart', 'vanished', 'lost-write', 'sequence-reuse', 'inconsistent-offsets'],
      does: { lostAtRestart: () => 1 },
    },
    'restart-counts-again: after a restart a channel counts on from an earlier number': {
      shows: ['sequence-reuse', 'inconsistent-offsets', 'late-insert', 'duplicate-sequence'],
      does: meeting((sends) => {
        const next = new Map<string, bigint>();
        let hasRestarted = false;
        return {
          lostAtRestart: () => {
            hasRestarted = true;
            return 0;
          },
          nextChannelSequence: (last, _event, _author, channelId) => {
            if (!hasRestarted) return sends.numbered(last + 1n);
            const sequence = next.get(channelId) ?? last - 10n;
            next.set(channelId, sequence + 1n);
            return sends.numbered(sequence > 0n ? sequence : last + 1n);
          },
        };
      }),
    },
    'restart-hides-what-was-in-hand: what was acknowledged just before a restart shows only some time after it':
      {
        shows: ['late-commit', 'poll-skip', 'vanished', 'lost-across-restart'],
        does: ({ now }) => {
          let restartedMs = 0;
          return {
            lostAtRestart: () => {
              restartedMs = now();
              return 0;
            },
            commitDelayMs: ({ committedMs, sequence }) =>
              sequence % 2n === 0n && committedMs < restartedMs && committedMs > restartedMs - 200
                ? restartedMs + 500 - committedMs
                : 0,
          };
        },
      },
  },
  { isOfRestart: true },
);
