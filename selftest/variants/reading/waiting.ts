import { contractRules } from '../../../reference/rules/rules.ts';
import type { Sources } from '../../../reference/model/sources.ts';
import { isEmptyPage, spoilSuccess, withoutHeader } from '../../mutants/base/spoil-answer.ts';
import { alternatives, leavingOpen, openBy, type Variant } from '../base/variant.ts';

/** How a read waits, and when a request is told to wait. */
export const waitingVariants: readonly Variant[] = [
  ...alternatives({
    'a-wait-is-ignored: channel-read.wait-ends; channel-read.wait-with-nothing-new': { waitMs: () => 0 },
    'a-wait-ends-after-2-seconds: channel-read.wait-ends': {
      waitMs: (seconds) => Math.min(seconds, 2) * 1000,
    },
    'a-wait-ends-at-any-time: channel-read.wait-ends; channel-read.wait-with-nothing-new': ({ random }) => ({
      waitMs: (seconds) => seconds * 40 * random(),
    }),
    ...openBy('channel-read.wait-maximum', {
      'a-wait-over-25-seconds-is-refused': { settings: { maxWaitSeconds: 25 } },
      'a-wait-over-25-seconds-is-clamped': {
        readWait: (text) => (/^[0-9]+$/.test(text) ? Math.min(25, Number(text)) : undefined),
      },
    }),
  }),
  ...alternatives({
    'other-channels-end-a-wait: channel-read.wait-with-nothing-new': {
      channelsWoken: (_channelId, all) => all(),
      returnsEmptyAfterWake: () => true,
    },
    'a-wait-brings-one-of-several: nothing says how much a woken read brings': {
      limitAfterWake: () => 1,
      wakeAfterMs: (hiddenMs) => hiddenMs + 60,
    },
  }),
  ...alternatives({
    ...openBy('limits.rates', {
      'load-is-refused-now-and-then': () => {
        let requests = 0;
        return {
          secondsToWait: () => {
            requests += 1;
            return requests % 60 === 0 ? 1 : requests % 9 === 0 ? 0 : null;
          },
        };
      },
      'an-agent-makes-100-requests-a-second': { settings: { requestsPerSecond: 100 } },
    }),
    'an-agent-makes-40-requests-a-second-and-is-told-to-try-at-once: limits.rates; Retry-After is an integer of 0 or more':
      { settings: { requestsPerSecond: 40 }, rules: { retryAfter: () => '0' } },
    'an-agent-makes-40-requests-a-second-and-learns-only-from-mentions-when-to-try: limits.rates; the table of errors is headed by the mentions call':
      {
        settings: { requestsPerSecond: 40 },
        answer: (answer, { route }) =>
          answer.status === 429 && route !== 'mentions' ? withoutHeader('retry-after')(answer) : undefined,
      },
    'all-agents-together-make-60-requests-a-second: limits.rates': ({ sources }) => ({
      secondsToWait: bucketOf(60, sources),
    }),
  }),
  ...leavingOpen({
    'an-agent-holds-one-long-poll: limits.rates': { settings: { longPollSlots: 1 } },
    'a-channel-holds-one-long-poll-and-locks-others-out: limits.rates; the table of errors is headed by the mentions call':
      {
        settings: { longPollSlots: 1 },
        rules: {
          holderOfPoll: (_agentId, channelId) => channelId,
          statusOfRefusal: (kind, route) =>
            kind === 'rate-limited' && route === 'read' ? 423 : contractRules.statusOfRefusal(kind, route),
        },
      },
    'a-wait-that-ends-with-nothing-is-204: channel-read.wait-with-nothing-new': spoilSuccess(
      'read',
      (answer, request) =>
        request.query['wait'] !== undefined && isEmptyPage('read')(request, answer)
          ? { status: 204, headers: answer.headers }
          : answer,
    ),
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
