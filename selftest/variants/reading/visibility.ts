import { alternatives, type Underlay, type Variant } from '../base/variant.ts';

/** How far a replica lags at most, in ms: well within the time in which what was sent may settle. */
const maxLagMs = 80;

/** Freedoms 17 to 19 and 21: when a message comes to be seen, and how long it is. */
export const visibilityVariants: readonly Variant[] = [
  ...alternatives(
    {
      id: 'sends-become-visible-later',
      freedom: 17,
      words: 'nothing says how soon an accepted message can be read',
      mayWarn: ['channel-read.reads-own-writes'],
      options: () => ({ rules: { statusOfSend: () => 202, commitDelayMs: () => 80 } }),
    },
    {
      id: 'sends-become-visible-late',
      freedom: 17,
      words: 'nothing says how soon an accepted message can be read',
      mayWarn: ['channel-read.reads-own-writes'],
      options: () => ({ rules: { statusOfSend: () => 202, commitDelayMs: () => 320 } }),
    },
    {
      id: 'mentions-become-visible-later',
      freedom: 19,
      words: 'nothing says how soon a mention is listed',
      options: () => ({
        rules: { commitDelayMs: ({ stream }) => (stream === 'mentions' ? 250 : 0) },
      }),
    },
  ),
  ...alternatives(
    {
      id: 'reads-come-from-replicas',
      freedom: 18,
      words: 'nothing says that a read is as recent as the one before',
      mayWarn: lagMayShow(),
      options: (under) => ({ rules: lagging(under) }),
    },
    {
      id: 'replicas-clamp-the-cursor',
      freedom: 18,
      words: 'page.next-after-never-falls-back speaks of a quiet stream',
      mayWarn: lagMayShow(),
      options: (under) => ({
        rules: {
          ...lagging(under),
          nextAfter: ({ entries, after, streamEnd }) =>
            entries.at(-1)?.sequence ?? (after === undefined || after > streamEnd ? streamEnd : after),
        },
      }),
    },
    {
      id: 'replicas-trim-late',
      freedom: 21,
      words: 'channel-read.retention; mentions.retention',
      mayWarn: lagMayShow(),
      options: (under) => ({
        rules: { ...lagging(under), oldestRetained: ({ newest }) => newest(40) ?? 0n },
      }),
    },
  ),
  {
    id: 'a-channel-keeps-25-messages',
    freedom: 21,
    words: 'channel-read.retention',
    options: () => ({ settings: { keepPerChannel: 25 } }),
  },
  {
    id: 'a-channel-keeps-100-messages',
    freedom: 21,
    words: 'channel-read.retention',
    options: () => ({ settings: { keepPerChannel: 100 } }),
  },
  {
    id: 'an-author-keeps-6-messages',
    freedom: 21,
    words: 'channel-read.retention',
    options: () => ({ settings: { keepPerAuthor: 6 } }),
  },
  {
    id: 'a-target-keeps-10-mentions',
    freedom: 21,
    words: 'mentions.retention',
    options: () => ({ settings: { keepMentions: 10 } }),
  },
];

/** Each read sees the history of some moments ago; a poll is woken once every replica has what it waits for. */
export function lagging({ random }: Underlay) {
  return {
    snapshotAgeMs: () => Math.floor(random() * maxLagMs),
    wakeAfterMs: () => maxLagMs + 10,
  };
}

/** The clauses that a lagging replica does not keep, all of them inferred. */
export function lagMayShow(): NonNullable<Variant['mayWarn']> {
  return [
    'channel-read.recency',
    'channel-read.reads-own-writes',
    'channel-read.reads-are-monotonic',
    'mentions.recency',
    'page.high-watermark-never-falls',
  ];
}
