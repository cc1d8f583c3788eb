import type { Sources } from '../../../reference/model/sources.ts';
import { alternatives, but, leavingOpen, type Variant } from '../base/variant.ts';

/** How a read waits, and when a request is told to wait. */
export const waitingVariants: readonly Variant[] = [
  ...alternatives([
    ...leavingOpen({
      'channel-read.wait-ends; channel-read.wait-with-nothing-new': {
        'a-wait-is-ignored': { waitMs: () => 0 },
      },
      'channel-read.wait-ends': {
        'a-wait-ends-after-2-seconds': { waitMs: (seconds) => Math.min(seconds, 2) * 1000 },
      },
    }),
    ...leavingOpen({
      'channel-read.wait-ends; channel-read.wait-with-nothing-new': {
        'a-wait-ends-at-any-time': ({ random }) => ({ waitMs: (seconds) => seconds * 40 * random() }),
      },
      'channel-read.wait-maximum': {
        'a-wait-over-25-seconds-is-refused': { settings: { maxWaitSeconds: 25 } },
        'a-wait-over-25-seconds-is-clamped': {
          readWait: (text) => (/^[0-9]+$/.test(text) ? Math.min(25, Number(text)) : undefined),
        },
      },
    }),
  ]),
  ...alternatives({
    'channel-read.wait-with-nothing-new': {
      'other-channels-end-a-wait': {
        channelsWoken: (_channelId, all) => all(),
        returnsEmptyAfterWake: () => true,
      },
    },
    'nothing says how much a woken read brings': {
      'a-wait-brings-one-of-several': { limitAfterWake: () => 1, wakeAfterMs: (hiddenMs) => hiddenMs + 60 },
    },
  }),
  ...alternatives([
    ...leavingOpen({
      'limits.rates': {
        'load-is-refused-now-and-then': but({ isSlow: true }, () => {
          let requests = 0;
          return {
            secondsToWait: () => {
              requests += 1;
              return requests % 60 === 0 ? 1 : requests % 9 === 0 ? 0 : null;
            },
          };
        }),
        'an-agent-makes-100-requests-a-second': but(
          { isSlow: true },
          { settings: { requestsPerSecond: 100 } },
        ),
      },
      'limits.rates; Retry-After is an integer of 0 or more': {
        'an-agent-makes-40-requests-a-second-and-is-told-to-try-at-once': but(
          { isSlow: true },
          { settings: { requestsPerSecond: 40 }, rules: { retryAfter: () => '0' } },
        ),
      },
      'limits.rates; the table of errors is headed by the mentions call': {
        'an-agent-makes-40-requests-a-second-and-learns-only-from-mentions-when-to-try': but(
          { mayWarn: ['errors.limit-elsewhere-is-429'], isSlow: true },
          {
            settings: { requestsPerSecond: 40 },
            answer: (answer, { route }) => {
              if (answer.status !== 429 || route === 'mentions') return undefined;
              const { 'retry-after': _, ...headers } = answer.headers;
              return { ...answer, headers };
            },
          },
        ),
      },
    }),
    ...leavingOpen({
      'limits.rates': {
        'all-agents-together-make-60-requests-a-second': but({ isSlow: true }, ({ sources }) => ({
          secondsToWait: bucketOf(60, sources),
        })),
      },
    }),
  ]),
  ...leavingOpen({
    'limits.rates': { 'an-agent-holds-one-long-poll': { settings: { longPollSlots: 1 } } },
  }),
];

/** Lets `perSecond` requests through, a second's worth at once; for others the whole seconds until there is room again. */
function bucketOf(perSecond: number, { elapsedMs }: Sources): () => number | null {
  let [room, sinceMs] = [perSecond, elapsedMs()];
  return () => {
    const nowMs = elapsedMs();
    room = Math.min(perSecond, room + ((nowMs - sinceMs) / 1000) * perSecond);
    sinceMs = nowMs;
    if (room < 1) return 1;
    room -= 1;
    return null;
  };
}
