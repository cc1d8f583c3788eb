import { concurrencyMutants } from './concurrency-mutant.ts';
import { SendsInHand } from './sends-in-hand.ts';

/** Servers that go wrong at a restart under load. */
export const restartMutants = concurrencyMutants(
  {
    'restart-loses-the-newest': {
      what: 'a restart loses the newest acknowledged message of each channel',
      shows: ['lost-across-restart', 'vanished', 'lost-write', 'sequence-reuse', 'inconsistent-offsets'],
      make: () => ({ rules: { lostAtRestart: () => 1 } }),
    },
    'restart-counts-again': {
      what: 'after a restart a channel counts on from an earlier number',
      shows: ['sequence-reuse', 'inconsistent-offsets', 'late-insert', 'duplicate-sequence'],
      make: () => {
        const sends = new SendsInHand();
        const next = new Map<string, bigint>();
        let hasRestarted = false;
        return sends.overlay({
          rules: {
            lostAtRestart: () => {
              hasRestarted = true;
              return 0;
            },
            nextChannelSequence: (last) => {
              const channel = sends.current?.channelId ?? '';
              if (!hasRestarted) return sends.numbered(last + 1n);
              const sequence = next.get(channel) ?? last - 10n;
              next.set(channel, sequence + 1n);
              return sends.numbered(sequence > 0n ? sequence : last + 1n);
            },
          },
        });
      },
    },
    'restart-forgets-keys': {
      what: 'a restart forgets which keys were used',
      shows: ['duplicate', 'conflict-accepted'],
      make: () => ({ rules: { losesKeysAtRestart: () => true } }),
    },
    'restart-hides-what-was-in-hand': {
      what: 'what was acknowledged just before a restart shows only some time after it',
      shows: ['late-commit', 'poll-skip', 'vanished', 'lost-across-restart'],
      make: ({ now }) => {
        let restartedMs = 0;
        return {
          rules: {
            lostAtRestart: () => {
              restartedMs = now();
              return 0;
            },
            commitDelayMs: ({ committedMs, sequence }) =>
              sequence % 2n === 0n && committedMs < restartedMs && committedMs > restartedMs - 200
                ? restartedMs + 500 - committedMs
                : 0,
          },
        };
      },
    },
  },
  { isOfRestart: true },
);
