import type { OutgoingRead, StreamName } from '../../../reference/model/page-facts.ts';
import { alternatives, openBy, type Overlay, type Underlay, type Variant } from '../base/variant.ts';

const high = 2n ** 60n;

/** Which numbers messages and mentions get. */
export const sequenceVariants: readonly Variant[] = [
  ...alternatives({
    'channel-numbers-have-gaps: message.sequence.gaps': ({ random }) => ({
      nextChannelSequence: (last) => last + 1n + BigInt(Math.floor(random() * 10)),
    }),
    'channel-numbers-are-event-numbers: mention.sequence.is-its-own-number lets the two coincide': {
      firstChannelSequence: (_id, event) => event,
      nextChannelSequence: (_last, event) => event,
    },
    'channels-share-a-counter: message.sequence.gaps: other channels take the numbers in between': () => {
      let last = 0n;
      const next = (): bigint => (last += 1n);
      return { firstChannelSequence: next, nextChannelSequence: next };
    },
    'a-restart-skips-1000-numbers: message.sequence.gaps: what a service had set aside when it ended is not given out':
      () => {
        let restarts = 0n;
        const known = new Map<string, bigint>();
        return {
          lostAtRestart: (channel) => {
            if (channel === 0) restarts += 1n;
            return 0;
          },
          nextChannelSequence: (last, _event, _author, channelId) => {
            const jump = restarts - (known.get(channelId) ?? 0n);
            known.set(channelId, restarts);
            return last + 1n + jump * 1_000n;
          },
        };
      },
  }),
  ...alternatives({
    'channels-start-at-500: message.sequence.gaps': { firstChannelSequence: () => 500n },
    ...openBy('no maximum is given for a sequence', {
      'channels-start-just-below-2-to-the-53': { firstChannelSequence: () => 2n ** 53n - 6n },
      'channels-start-at-2-to-the-60': ({ random }) => ({
        firstChannelSequence: () => high + BigInt(Math.floor(random() * 1e6)),
      }),
    }),
  }),
  ...alternatives({
    'events-start-at-1: mention.sequence.is-its-own-number lets the two coincide': {
      firstEventSequence: () => 1n,
    },
    'events-start-at-2-to-the-60: no maximum is given for a sequence': {
      firstEventSequence: () => high + 12_345n,
    },
  }),
  ...alternatives({
    'events-jump-by-thousands: a mention has the number of an event of the workspace; other events are not shown':
      ({ random }) => ({
        nextEventSequence: (last) => last + 1n + BigInt(Math.floor(random() * 5000)),
      }),
    'only-mentions-are-events: what an event of the workspace is, beside a mention, is not said': ({
      rules,
    }) => {
      let hasTargets = false;
      return {
        // The first that is asked of a message.
        capturedTargets: (targets) => {
          hasTargets = targets.length > 0;
          return rules.capturedTargets(targets);
        },
        nextEventSequence: (last) => (hasTargets ? last + 1n : last),
      };
    },
    'events-are-numbered-out-of-order: mentions.order-against-channel-order': outOfOrder('mentions'),
    'taken-sends-are-numbered-out-of-order: send.acknowledged-order is inferred: what was only taken may be stored by workers side by side':
      outOfOrder('channel'),
  }),
  ...alternatives({
    'a-number-for-each-target: mentions.several-matching-targets; nothing says that one message is one event':
      {
        mentionSequences: (event, targets) => targets.map((_target, index) => event + BigInt(index)),
      },
    'a-number-for-each-target-and-a-line-for-each-message: mentions.several-matching-targets; a limit counts messages':
      {
        mentionSequences: (event, targets) => targets.map((_target, index) => event + BigInt(index)),
        presentRead: ({ items, page }) => ({ items: onceEach(items), page }),
      },
    'a-number-for-each-target-backwards: mentions.several-matching-targets': {
      mentionSequences: (event, targets) =>
        targets.map((_target, index) => event + BigInt(3 * (targets.length - 1 - index))),
    },
  }),
];

/** What lists messages with each of them where it stands first. */
function onceEach(items: OutgoingRead['items']): OutgoingRead['items'] {
  const listed = new Set<string>();
  return items.filter((item) => {
    const { id } = 'message' in item ? item.message : item;
    const isFirst = !listed.has(id);
    listed.add(id);
    return isFirst;
  });
}

/** How long a number that was passed over can still be taken, in ms, and how long its successor hides meanwhile. */
const takenWithinMs = 40;
const hiddenMs = 120;

/**
 * Of two messages sent close together the first gets the higher number. It stays hidden for so long that the lower one
 * is there before it, or never comes; and nothing is seen before what has a lower number.
 */
function outOfOrder(numbered: StreamName): (under: Underlay) => Overlay {
  return ({ rules, sources }) => {
    const free = new Map<string, { number: bigint; untilMs: number; seenFromMs: number }>();
    const seenFrom = new Map<string, number>();
    const next = (last: bigint, history: string): bigint => {
      const nowMs = sources.now();
      const kept = free.get(history);
      free.delete(history);
      if (kept?.number === last - 1n && nowMs < kept.untilMs) {
        seenFrom.set(`${history} ${kept.number}`, kept.seenFromMs);
        return kept.number;
      }
      const seenFromMs = seenFrom.get(`${history} ${last}`) ?? nowMs;
      free.set(history, { number: last + 1n, untilMs: nowMs + takenWithinMs, seenFromMs });
      seenFrom.set(`${history} ${last + 2n}`, Math.max(nowMs + hiddenMs, seenFromMs));
      return last + 2n;
    };
    return {
      rules: {
        ...(numbered === 'channel'
          ? {
              statusOfSend: () => 202,
              nextChannelSequence: (last, _event, _author, channelId) => next(last, channelId),
            }
          : { nextEventSequence: next }),
        commitDelayMs: ({ stream, workspaceId, channelId, sequence, committedMs }) => {
          const history = stream === 'channel' ? channelId : workspaceId;
          return stream === numbered ? (seenFrom.get(`${history} ${sequence}`) ?? 0) - committedMs : 0;
        },
        // The number before it can still be taken: a page that reaches that would skip it.
        endBelow: (hidden) => (hidden.stream === numbered ? hidden.sequence - 2n : rules.endBelow(hidden)),
      },
    };
  };
}
