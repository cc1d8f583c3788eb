import { alternatives, type Variant } from '../base/variant.ts';

const high = 2n ** 60n;

/** Freedoms 1 to 6: which numbers messages and mentions get. */
export const sequenceVariants: readonly Variant[] = [
  ...alternatives(
    {
      id: 'channel-numbers-have-gaps',
      freedom: 1,
      words: 'message.sequence.gaps',
      options: ({ random }) => ({
        rules: { nextChannelSequence: (last) => last + 1n + BigInt(Math.floor(random() * 10)) },
      }),
    },
    {
      id: 'channel-numbers-are-event-numbers',
      freedom: 3,
      words: 'mention.sequence.is-its-own-number lets the two coincide',
      options: () => ({
        rules: { firstChannelSequence: (_id, event) => event, nextChannelSequence: (_last, event) => event },
      }),
    },
    {
      id: 'channels-share-a-counter',
      freedom: 3,
      words: 'message.sequence.gaps: other channels take the numbers in between',
      options: () => {
        let last = 0n;
        const next = (): bigint => (last += 1n);
        return { rules: { firstChannelSequence: next, nextChannelSequence: next } };
      },
    },
  ),
  ...alternatives(
    {
      id: 'channels-start-at-500',
      freedom: 2,
      words: 'message.sequence.gaps',
      excludes: ['channel-numbers-are-event-numbers', 'channels-share-a-counter'],
      options: () => ({ rules: { firstChannelSequence: () => 500n } }),
    },
    {
      id: 'channels-start-at-2-to-the-60',
      freedom: 2,
      words: 'no maximum is given for a sequence',
      excludes: [
        'channel-numbers-are-event-numbers',
        'channels-share-a-counter',
        'cursors-beyond-2-to-the-53-are-refused',
      ],
      options: ({ random }) => ({
        rules: { firstChannelSequence: () => high + BigInt(Math.floor(random() * 1e6)) },
      }),
    },
  ),
  ...alternatives(
    {
      id: 'events-start-at-1',
      freedom: 3,
      words: 'mention.sequence.is-its-own-number lets the two coincide',
      options: () => ({ rules: { firstEventSequence: () => 1n } }),
    },
    {
      id: 'events-start-at-2-to-the-60',
      freedom: 2,
      words: 'no maximum is given for a sequence',
      excludes: ['cursors-beyond-2-to-the-53-are-refused'],
      options: () => ({ rules: { firstEventSequence: () => high + 12_345n } }),
    },
  ),
  ...alternatives(
    {
      id: 'events-jump-by-thousands',
      freedom: 4,
      words: 'a mention has the number of an event of the workspace; other events are not shown',
      options: ({ random }) => ({
        rules: { nextEventSequence: (last) => last + 1n + BigInt(Math.floor(random() * 5000)) },
      }),
    },
    {
      id: 'events-are-numbered-out-of-order',
      freedom: 6,
      words: 'mentions.order-against-channel-order',
      // Each of these would let a cursor pass a number that is still kept free.
      excludes: [
        'channel-numbers-are-event-numbers',
        'a-number-for-each-target',
        'a-number-for-each-target-backwards',
        'the-last-page-ends-at-the-watermark',
        'an-empty-page-ends-at-the-watermark',
        'reads-scan-a-bounded-stretch',
        'reads-come-from-replicas',
        'replicas-clamp-the-cursor',
        'replicas-trim-late',
        'sends-become-visible-later',
        'sends-become-visible-late',
        'mentions-become-visible-later',
      ],
      options: outOfOrder,
    },
  ),
  ...alternatives(
    {
      id: 'a-number-for-each-target',
      freedom: 5,
      words: 'mentions.several-matching-targets; nothing says that one message is one event',
      options: () => ({
        rules: {
          mentionSequences: (event, targets) => targets.map((_target, index) => event + BigInt(index)),
        },
      }),
    },
    {
      id: 'a-number-for-each-target-backwards',
      freedom: 7,
      words: 'mentions.several-matching-targets',
      options: () => ({
        rules: {
          mentionSequences: (event, targets) =>
            targets.map((_target, index) => event + BigInt(3 * (targets.length - 1 - index))),
        },
      }),
    },
  ),
];

/** How long a number that was passed over can still be taken, in ms, and how long its successor hides meanwhile. */
const takenWithinMs = 40;
const hiddenMs = 120;

/**
 * Of two messages sent close together the first gets the higher number. It stays hidden for so long that the lower one
 * is there before it, or never comes; and nothing is seen before what has a lower number.
 */
function outOfOrder(): ReturnType<Variant['options']> {
  const free = new Map<string, { number: bigint; untilMs: number; seenFromMs: number }>();
  const seenFrom = new Map<string, number>();
  return {
    rules: {
      nextEventSequence: (last, workspaceId) => {
        const nowMs = Date.now();
        const kept = free.get(workspaceId);
        free.delete(workspaceId);
        if (kept?.number === last - 1n && nowMs < kept.untilMs) {
          seenFrom.set(`${workspaceId} ${kept.number}`, kept.seenFromMs);
          return kept.number;
        }
        const seenFromMs = seenFrom.get(`${workspaceId} ${last}`) ?? nowMs;
        free.set(workspaceId, { number: last + 1n, untilMs: nowMs + takenWithinMs, seenFromMs });
        seenFrom.set(`${workspaceId} ${last + 2n}`, Math.max(nowMs + hiddenMs, seenFromMs));
        return last + 2n;
      },
      commitDelayMs: ({ stream, workspaceId, sequence, committedMs }) =>
        stream === 'mentions' ? (seenFrom.get(`${workspaceId} ${sequence}`) ?? 0) - committedMs : 0,
    },
  };
}
