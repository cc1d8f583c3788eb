import { alternatives, type Variant } from '../base/variant.ts';

/** Freedoms 31 and 32: how a read waits, and when a request is told to wait. */
export const waitingVariants: readonly Variant[] = [
  ...alternatives(
    {
      id: 'a-wait-is-ignored',
      freedom: 31,
      words: 'channel-read.wait-ends; channel-read.wait-with-nothing-new',
      options: () => ({ rules: { waitMs: () => 0 } }),
    },
    {
      id: 'a-wait-ends-after-2-seconds',
      freedom: 31,
      words: 'channel-read.wait-ends',
      options: () => ({ rules: { waitMs: (seconds) => Math.min(seconds, 2) * 1000 } }),
    },
    {
      id: 'a-wait-ends-at-any-time',
      freedom: 31,
      words: 'channel-read.wait-ends; channel-read.wait-with-nothing-new',
      options: ({ random }) => ({ rules: { waitMs: (seconds) => seconds * 40 * random() } }),
    },
    {
      id: 'a-wait-over-25-seconds-is-refused',
      freedom: 31,
      words: 'channel-read.wait-maximum',
      options: () => ({ settings: { maxWaitSeconds: 25 } }),
    },
    {
      id: 'a-wait-over-25-seconds-is-clamped',
      freedom: 31,
      words: 'channel-read.wait-maximum',
      options: () => ({
        rules: { readWait: (text) => (/^[0-9]+$/.test(text) ? Math.min(25, Number(text)) : undefined) },
      }),
    },
  ),
  ...alternatives(
    {
      id: 'other-channels-end-a-wait',
      freedom: 31,
      words: 'channel-read.wait-with-nothing-new',
      options: () => ({
        rules: { channelsWoken: (_channelId, all) => all(), returnsEmptyAfterWake: () => true },
      }),
    },
    {
      id: 'a-wait-brings-one-of-several',
      freedom: 31,
      words: 'nothing says how much a woken read brings',
      options: () => ({ rules: { limitAfterWake: () => 1, wakeAfterMs: (hiddenMs) => hiddenMs + 60 } }),
    },
  ),
  ...alternatives(
    {
      id: 'load-is-refused-now-and-then',
      freedom: 32,
      words: 'limits.rates',
      isSlow: true,
      options: () => {
        let requests = 0;
        return {
          rules: {
            secondsToWait: () => {
              requests += 1;
              return requests % 60 === 0 ? 1 : requests % 9 === 0 ? 0 : null;
            },
          },
        };
      },
    },
    {
      id: 'an-agent-makes-100-requests-a-second',
      freedom: 32,
      words: 'limits.rates',
      isSlow: true,
      options: () => ({ settings: { requestsPerSecond: 100 } }),
    },
    {
      id: 'an-agent-makes-40-requests-a-second-and-is-told-to-try-at-once',
      words: 'limits.rates; Retry-After is an integer of 0 or more',
      isSlow: true,
      options: () => ({ settings: { requestsPerSecond: 40 }, rules: { retryAfter: () => '0' } }),
    },
    {
      id: 'an-agent-makes-40-requests-a-second-and-learns-only-from-mentions-when-to-try',
      words: 'limits.rates; the table of errors is headed by the mentions call',
      mayWarn: ['errors.limit-elsewhere-is-429'],
      isSlow: true,
      options: () => ({
        settings: { requestsPerSecond: 40 },
        answer: (answer, { route }) => {
          if (answer.status !== 429 || route === 'mentions') return undefined;
          const { 'retry-after': _, ...headers } = answer.headers;
          return { ...answer, headers };
        },
      }),
    },
    {
      id: 'all-agents-together-make-60-requests-a-second',
      words: 'limits.rates',
      isSlow: true,
      options: () => ({ rules: { secondsToWait: bucketOf(60) } }),
    },
  ),
  {
    id: 'an-agent-holds-one-long-poll',
    freedom: 32,
    words: 'limits.rates',
    options: () => ({ settings: { longPollSlots: 1 } }),
  },
];

/** Lets `perSecond` requests through, a second's worth at once; for others the whole seconds until there is room again. */
function bucketOf(perSecond: number): () => number | null {
  let [room, sinceMs] = [perSecond, performance.now()];
  return () => {
    const nowMs = performance.now();
    room = Math.min(perSecond, room + ((nowMs - sinceMs) / 1000) * perSecond);
    sinceMs = nowMs;
    if (room < 1) return 1;
    room -= 1;
    return null;
  };
}
