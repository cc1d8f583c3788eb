import { contractRules } from '../../reference/rules/rules.ts';
import { breaking, mutant, rowsOf, what, type ByClause, type Mutant } from './base/mutant.ts';
import {
  itemsOf,
  objectOf,
  sequenceOf,
  sortedBy,
  spoilBody,
  spoilList,
  swappedItems,
  type JsonObject,
} from './base/spoil-answer.ts';

/** Of what lies after a cursor only what stands above it in its channel. */
const afterTheMessage = spoilList('mentions', (items, { query }) => {
  const after = /^\d+$/.test(query['after'] ?? '') ? BigInt(query['after'] ?? 0) : undefined;
  return after === undefined ? items : items.filter((item) => sequenceOf(objectOf(item['message'])) > after);
});

/** The order of a listing and the numbers in it. */
export const mentionOrderMutants: readonly Mutant[] = [
  ...breaking({
    'mentions.newest-page': {
      'oldest-page-without-a-cursor': { readsNewestWhenOmitted: (stream) => stream !== 'mentions' },
      'newest-page-is-cut-short': what('without a cursor the newest page ends two before the end', {
        answer: spoilList('mentions', (items, { query }) =>
          query['after'] === undefined && items.length > 2 ? items.slice(0, -2) : items,
        ),
      }),
    },
    'mentions.cursor-never-skips': {
      'late-mentions': what('every third mention is shown 300 ms after the next', {
        commitDelayMs: ({ stream, sequence }) => (stream === 'mentions' && sequence % 3n === 0n ? 300 : 0),
      }),
      'restart-numbers-mentions-lower': what(
        'the numbers of mentions fall back in a restart, to ones that are free',
        {
          nextEventSequence: (last) => last + 4n,
          eventsLostAtRestart: () => 5n,
        },
      ),
      'restart-numbers-on-from-the-last-mention': what(
        'cursors pass messages that name nobody, and a restart numbers mentions on from the last one',
        () => {
          const last = new Map<string, { event: bigint; mention: bigint }>();
          let latest = { event: 0n, mention: 0n };
          return {
            nextEventSequence: (event, workspaceId) => {
              latest = { event: event + 1n, mention: last.get(workspaceId)?.mention ?? event };
              last.set(workspaceId, latest);
              return event + 1n;
            },
            mentionSequences: (event, targets) => {
              if (targets.length > 0) latest.mention = event;
              return contractRules.mentionSequences(event, targets);
            },
            eventsLostAtRestart: (workspaceId) => {
              const { event = 0n, mention = 0n } = last.get(workspaceId) ?? {};
              return event - mention;
            },
            nextAfter: (facts) => {
              const [next, end] = [contractRules.nextAfter(facts), facts.lastEvent()];
              return facts.stream === 'mentions' && !facts.isMoreAbove && end > next ? end : next;
            },
          };
        },
      ),
    },
    'mentions.no-duplicate-sequence': {
      'mentions-share-a-number': what('every second mention has the number of the one before', {
        mentionSequences: (event, targets) => targets.map(() => event - (event % 2n)),
      }),
    },
    'mentions.duplicate-message': {
      'one-mention-has-two-numbers': what('a mention is listed under two numbers', {
        mentionedBy: (targets) => targets.flatMap((target) => [target, target]),
        nextEventSequence: (last) => last + 2n,
        mentionSequences: (event, targets) => targets.map((_, index) => event + BigInt(index % 2)),
      }),
      'listing-repeats-its-first': what('the first mention of a listing comes again under the next number', {
        rules: { nextEventSequence: (last) => last + 2n },
        answer: spoilList('mentions', (items) =>
          items.length < 2 || items.length > 10
            ? items
            : items.flatMap((item, index) =>
                index === 0 ? [item, { ...item, sequence: Number(sequenceOf(item)) + 1 }] : [item],
              ),
        ),
      }),
    },
    'mentions.ascending': {
      'listing-sorts-as-text': what('numbers are ordered as texts, so that 10 comes before 9', {
        rules: {
          firstEventSequence: () => 7n,
          nextEventSequence: (last) => last + (last < 10n ** 12n ? last / 3n : 0n) + 1n,
        },
        answer: spoilList('mentions', (items) =>
          items.toSorted((left, right) => (String(sequenceOf(left)) < String(sequenceOf(right)) ? -1 : 1)),
        ),
      }),
    },
    'mentions.after.counts-the-workspace': {
      'cursor-is-compared-with-the-message': what('the cursor is compared with the numbers of the messages', {
        answer: afterTheMessage,
      }),
      'cursor-is-compared-with-the-message-in-a-young-workspace': what(
        'events count from 1, and the cursor is compared with the numbers of the messages',
        { rules: { firstEventSequence: () => 1n }, answer: afterTheMessage },
      ),
      'cursor-is-compared-with-the-message-in-high-channels': what(
        'channels count higher than the feed, and the cursor is compared with the numbers of the messages',
        {
          firstEventSequence: () => 1n,
          firstChannelSequence: () => 100_000n,
          firstSequenceAfter: (after, stream) =>
            stream === 'mentions' && after < 100_000n ? 1n : after + 1n,
        },
      ),
    },
    'mention.sequence.workspace-wide': {
      'mention-has-the-number-of-its-message': what('a mention shows the number of its message', {
        presentMention: (mention) => ({ ...mention, sequence: mention.message.sequence }),
      }),
      'channels-have-blocks-of-numbers': () => {
        const blocks = new Map<string, number>();
        return {
          presentMention: (mention) => {
            const block = blocks.get(mention.message.channel_id) ?? blocks.size * 10_000;
            blocks.set(mention.message.channel_id, block);
            return { ...mention, sequence: Number(mention.sequence) + block };
          },
        };
      },
    },
    'mention.sequence.immutable': {
      'mention-is-renumbered': what('a mention that was shown before has another number', () => {
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
      }),
    },
    'mentions.sequence-names-one-mention': {
      'number-stands-for-another-mention': () => {
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
    },
    'mentions.feeds-agree-on-order': {
      'feeds-count-by-target': what('two messages stand in another order for a second target', () => {
        let sends = 0;
        return {
          nextEventSequence: (last) => last + 10n,
          mentionSequences: (event, targets) => {
            sends += 1;
            return targets.map((_, index) =>
              index === 0 ? event : sends % 2 === 0 ? event - 14n : event + 1n,
            );
          },
        };
      }),
    },
    'mentions.recency': {
      'lagging-listings': what('every second listing shows how things were 2 s ago', () => {
        let reads = 0;
        return { snapshotAgeMs: (stream) => (stream === 'mentions' && (reads += 1) % 2 === 0 ? 2_000 : 0) };
      }),
    },
  }),
  ...listed({
    'mentions.ascending': {
      'listing-descends': (items) => items.toReversed(),
      'listing-descends-with-a-cursor': (items, after) => (after === undefined ? items : items.toReversed()),
      'listing-swaps-the-last-two': (items) => swappedItems(items, items.length - 2),
      'listing-swaps-after-50': (items) =>
        items.length > 50 ? swappedItems(items, items.length - 2) : items,
      'listing-groups-by-channel': (items) => sortedBy(items, channelOfMention),
      'listing-sorts-by-message-sequence': (items) =>
        items.toSorted((left, right) =>
          Number(sequenceOf(objectOf(left['message'])) - sequenceOf(objectOf(right['message']))),
        ),
    },
    'mentions.newest-page-ascends': {
      'listing-descends-without-a-cursor': (items, after) =>
        after === undefined ? items.toReversed() : items,
    },
    'mentions.newest-page': {
      'listing-newest-is-left-out': (items, after) =>
        after === undefined && items.length > 1 ? items.slice(0, -1) : items,
      'listing-newest-page-has-a-hole': (items, after) =>
        after === undefined && items.length > 2 ? items.toSpliced(-2, 1) : items,
    },
  }),
];

type Listing = (items: readonly JsonObject[], after: string | undefined) => readonly JsonObject[];

/** The mutants of a table of what becomes of a listing. */
function listed(table: ByClause<Listing>): Mutant[] {
  return rowsOf(table).map(({ id, clause, value: change }) =>
    mutant(id, clause, id.replaceAll('-', ' '), {
      answer: spoilList('mentions', (items, { query }) => change(items, query['after'])),
    }),
  );
}

function channelOfMention(mention: JsonObject): string {
  return String(objectOf(mention['message'])['channel_id']);
}

function maxNumber(left: unknown, right: unknown): number {
  return Math.max(Number(left), Number(right));
}
