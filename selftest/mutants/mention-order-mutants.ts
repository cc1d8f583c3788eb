import type { ClauseId } from '../../spec/index.ts';
import { mutant, ruleMutants, type Mutant } from './base/mutant.ts';
import {
  itemsOf,
  objectOf,
  sequenceOf,
  spoilBody,
  spoilList,
  swapped,
  type JsonObject,
} from './base/spoil-answer.ts';

/** The order of a listing and the numbers in it. */
export const mentionOrderMutants: readonly Mutant[] = [
  ...ruleMutants([
    [
      'oldest-page-without-a-cursor',
      'mentions.newest-page',
      'without a cursor the oldest page is listed',
      { readsNewestWhenOmitted: (stream) => stream !== 'mentions' },
    ],
    [
      'late-mentions',
      'mentions.cursor-never-skips',
      'every third mention is shown 300 ms after the next',
      { commitDelayMs: ({ stream, sequence }) => (stream === 'mentions' && sequence % 3n === 0n ? 300 : 0) },
    ],
    [
      'mentions-share-a-number',
      'mentions.no-duplicate-sequence',
      'every second mention has the number of the one before',
      { mentionSequences: (event, targets) => targets.map(() => event - (event % 2n)) },
    ],
    [
      'one-mention-has-two-numbers',
      'mentions.duplicate-message',
      'a mention is listed under two numbers',
      {
        mentionedBy: (targets) => targets.flatMap((target) => [target, target]),
        nextEventSequence: (last) => last + 2n,
        mentionSequences: (event, targets) => targets.map((_, index) => event + BigInt(index % 2)),
      },
    ],
  ]),
  listed('descends', 'mentions.ascending', 'a listing goes from newer to older', (items) =>
    items.toReversed(),
  ),
  listed(
    'descends-without-a-cursor',
    'mentions.newest-page-ascends',
    'without a cursor a listing goes from newer to older',
    (items, after) => (after === undefined ? items.toReversed() : items),
  ),
  listed(
    'descends-with-a-cursor',
    'mentions.ascending',
    'with a cursor a listing goes from newer to older',
    (items, after) => (after === undefined ? items : items.toReversed()),
  ),
  listed('swaps-the-last-two', 'mentions.ascending', 'the last two of a listing are swapped', (items) =>
    swapped(items, items.length - 2),
  ),
  listed('swaps-after-50', 'mentions.ascending', 'beyond 50 a listing is out of order', (items) =>
    items.length > 50 ? swapped(items, items.length - 2) : items,
  ),
  listed('groups-by-channel', 'mentions.ascending', 'a listing is grouped by channel', (items) =>
    items.toSorted((left, right) =>
      channelOf(left) < channelOf(right) ? -1 : channelOf(left) > channelOf(right) ? 1 : 0,
    ),
  ),
  listed(
    'sorts-by-message-sequence',
    'mentions.ascending',
    'a listing is ordered by the numbers of the messages',
    (items) =>
      items.toSorted((left, right) =>
        Number(sequenceOf(objectOf(left['message'])) - sequenceOf(objectOf(right['message']))),
      ),
  ),
  listed(
    'newest-is-left-out',
    'mentions.newest-page',
    'without a cursor the newest mention is left out',
    (items, after) => (after === undefined && items.length > 1 ? items.slice(0, -1) : items),
  ),
  listed(
    'newest-page-has-a-hole',
    'mentions.newest-page',
    'without a cursor the second newest mention is left out',
    (items, after) =>
      after === undefined && items.length > 2
        ? items.filter((_, index) => index !== items.length - 2)
        : items,
  ),
  mutant(
    'listing-repeats-its-first',
    'mentions.duplicate-message',
    'the first mention of a listing comes again under the next number',
    {
      rules: { nextEventSequence: (last) => last + 2n },
      answer: spoilList('mentions', (items) =>
        items.length < 2 || items.length > 10
          ? items
          : items.flatMap((item, index) =>
              index === 0 ? [item, { ...item, sequence: Number(sequenceOf(item)) + 1 }] : [item],
            ),
      ),
    },
  ),
  mutant(
    'listing-sorts-as-text',
    'mentions.ascending',
    'numbers are ordered as texts, so that 10 comes before 9',
    {
      rules: {
        firstEventSequence: () => 7n,
        nextEventSequence: (last) => last + (last < 10n ** 12n ? last / 3n : 0n) + 1n,
      },
      answer: spoilList('mentions', (items) =>
        items.toSorted((left, right) => (String(sequenceOf(left)) < String(sequenceOf(right)) ? -1 : 1)),
      ),
    },
  ),
  mutant(
    'newest-page-is-cut-short',
    'mentions.newest-page',
    'without a cursor the newest page ends two before the end',
    {
      answer: spoilList('mentions', (items, { query }) =>
        query['after'] === undefined && items.length > 2 ? items.slice(0, -2) : items,
      ),
    },
  ),
  mutant(
    'cursor-is-compared-with-the-message',
    'mentions.after.counts-the-workspace',
    'the cursor is compared with the numbers of the messages',
    {
      answer: spoilList('mentions', (items, { query }) => {
        const after = /^\d+$/.test(query['after'] ?? '') ? BigInt(query['after'] ?? 0) : undefined;
        return after === undefined
          ? items
          : items.filter((item) => sequenceOf(objectOf(item['message'])) > after);
      }),
    },
  ),
  mutant(
    'mention-has-the-number-of-its-message',
    'mention.sequence.workspace-wide',
    'a mention shows the number of its message',
    {
      rules: { presentMention: (mention) => ({ ...mention, sequence: mention.message.sequence }) },
    },
  ),
  mutant(
    'channels-have-blocks-of-numbers',
    'mention.sequence.workspace-wide',
    'each channel numbers its mentions in a block of its own',
    () => {
      const blocks = new Map<string, number>();
      return {
        rules: {
          presentMention: (mention) => {
            const block = blocks.get(mention.message.channel_id) ?? blocks.size * 10_000;
            blocks.set(mention.message.channel_id, block);
            return { ...mention, sequence: Number(mention.sequence) + block };
          },
        },
      };
    },
  ),
  mutant(
    'mention-is-renumbered',
    'mention.sequence.immutable',
    'a mention that was shown before has another number',
    () => {
      const shown = new Set<string>();
      return {
        rules: { nextEventSequence: (last) => last + 10n },
        answer: spoilBody('mentions', (body, { actor }) => {
          const key = (item: JsonObject): string => `${actor?.agentId} ${String(item['id'])}`;
          const again = new Set(
            itemsOf(body, 'mentions')
              .filter((item) => shown.has(key(item)))
              .map(key),
          );
          const mentions = itemsOf(body, 'mentions').map((item) =>
            again.has(key(item)) ? { ...item, sequence: Number(item['sequence']) + 1 } : item,
          );
          for (const item of mentions) shown.add(key(item));
          const end = mentions.at(-1);
          const page = objectOf(body['page']);
          return {
            ...body,
            mentions,
            page:
              end === undefined
                ? page
                : {
                    ...page,
                    next_after: maxNumber(page['next_after'], end['sequence']),
                    high_watermark: maxNumber(page['high_watermark'], end['sequence']),
                  },
          };
        }),
      };
    },
  ),
  mutant(
    'number-stands-for-another-mention',
    'mentions.sequence-names-one-mention',
    'every second listing swaps the messages of two numbers',
    () => {
      let listings = 0;
      return {
        answer: spoilList('mentions', (items) => {
          listings += 1;
          if (items.length < 2 || listings % 2 === 0) return items;
          const [first = {}, second = {}] = items;
          return [
            { ...second, sequence: first['sequence'] },
            { ...first, sequence: second['sequence'] },
            ...items.slice(2),
          ];
        }),
      };
    },
  ),
  mutant(
    'feeds-count-by-target',
    'mentions.feeds-agree-on-order',
    'two messages stand in another order for a second target',
    () => {
      let sends = 0;
      return {
        rules: {
          nextEventSequence: (last) => last + 10n,
          mentionSequences: (event, targets) => {
            sends += 1;
            return targets.map((_, index) =>
              index === 0 ? event : sends % 2 === 0 ? event - 14n : event + 1n,
            );
          },
        },
      };
    },
  ),
  mutant('lagging-listings', 'mentions.recency', 'every second listing shows how things were 2 s ago', () => {
    let reads = 0;
    return {
      rules: { snapshotAgeMs: (stream) => (stream === 'mentions' && (reads += 1) % 2 === 0 ? 2_000 : 0) },
    };
  }),
];

function listed(
  id: string,
  clause: ClauseId,
  what: string,
  change: (items: readonly JsonObject[], after: string | undefined) => readonly JsonObject[],
): Mutant {
  return mutant(`listing-${id}`, clause, what, {
    answer: spoilList('mentions', (items, { query }) => change(items, query['after'])),
  });
}

function channelOf(mention: JsonObject): string {
  return String(objectOf(mention['message'])['channel_id']);
}

function maxNumber(left: unknown, right: unknown): number {
  return Math.max(Number(left), Number(right));
}
