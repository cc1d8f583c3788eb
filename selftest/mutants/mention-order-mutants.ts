import { contractRules } from '../../reference/rules/rules.ts';
import { shown } from './base/changed-rules.ts';
import { breaking, mutant, rowsOf, type ByClause, type Mutant } from './base/mutant.ts';
import {
  inTurn,
  itemsOf,
  listOf,
  noting,
  objectOf,
  sequenceOf,
  sortedAsText,
  sortedBy,
  spoilBody,
  spoilList,
  swappedItems,
  swappedNumbers,
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
      'newest-page-of-one-is-empty': spoilList('mentions', (items, { query }) =>
        query['after'] === undefined && query['limit'] !== '1' && items.length === 1 ? [] : items,
      ),
      'newest-page-looks-back-over-128-events: without a cursor only what is among the last 128 events of the workspace is listed':
        spoilBody('mentions', (body, { query }) => {
          const { high_watermark: end } = objectOf(body['page']);
          const isNear = (each: unknown): boolean => Number(objectOf(each)['sequence']) > Number(end) - 128;
          return query['after'] === undefined
            ? { ...body, mentions: listOf(body['mentions']).filter(isNear) }
            : body;
        }),
    },
    'mentions.cursor-never-skips': {
      'late-mentions: every third mention is shown 300 ms after the next': {
        commitDelayMs: ({ stream, sequence }) => (stream === 'mentions' && sequence % 3n === 0n ? 300 : 0),
      },
      'restart-numbers-mentions-lower: the numbers of mentions fall back in a restart, to ones that are free':
        {
          nextEventSequence: (last) => last + 4n,
          eventsLostAtRestart: () => 5n,
        },
      'restart-numbers-on-from-the-last-mention: cursors pass messages that name nobody, and a restart numbers mentions on from the last one':
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
    },
    'mentions.no-duplicate-sequence': {
      'mentions-share-a-number: every second mention has the number of the one before': {
        mentionSequences: (event, targets) => targets.map(() => event - (event % 2n)),
      },
    },
    'mentions.duplicate-message': {
      'an-equal-replay-is-listed-again: what a send under a used key names is listed twice, under one number':
        () => {
          const seen = new Set<string>();
          const repeated = new Set<unknown>();
          return inTurn(
            noting('send', ({ headers: { 'idempotency-key': key } }, { body }) => {
              const message = objectOf(objectOf(body)['message'])['id'];
              if (typeof key === 'string' && seen.has(key)) repeated.add(message);
              seen.add(String(key));
            }),
            spoilList('mentions', (items) =>
              items.flatMap((item) =>
                repeated.has(objectOf(item['message'])['id']) ? [item, item] : [item],
              ),
            ),
          );
        },
      'a-message-is-listed-for-each-target: a short listing has what names several twice, under one number':
        spoilList('mentions', (items) =>
          items.length < 2 || items.length > 10
            ? items
            : items.flatMap((item) => {
                const { mentions } = objectOf(item['message']);
                return Array.isArray(mentions) && mentions.length > 1 ? [item, item] : [item];
              }),
        ),
      'one-mention-has-two-numbers: a mention is listed under two numbers': {
        mentionedBy: (targets) => targets.flatMap((target) => [target, target]),
        nextEventSequence: (last) => last + 2n,
        mentionSequences: (event, targets) => targets.map((_, index) => event + BigInt(index % 2)),
      },
      'listing-repeats-its-first: the first mention of a listing comes again under the next number': {
        rules: { nextEventSequence: (last) => last + 2n },
        ...spoilList('mentions', (items) =>
          items.length < 2 || items.length > 10
            ? items
            : items.flatMap((item, index) =>
                index === 0 ? [item, { ...item, sequence: Number(sequenceOf(item)) + 1 }] : [item],
              ),
        ),
      },
    },
    'mentions.ascending': {
      'listing-sorts-as-text: numbers are ordered as texts, so that 10 comes before 9': {
        rules: {
          firstEventSequence: () => 7n,
          nextEventSequence: (last) => last + (last < 10n ** 12n ? last / 3n : 0n) + 1n,
        },
        ...spoilList('mentions', sortedAsText),
      },
    },
    'mentions.after.counts-the-workspace': {
      'cursor-is-compared-with-the-message: the cursor is compared with the numbers of the messages':
        afterTheMessage,
      'cursor-is-compared-with-the-message-in-a-young-workspace: events count from 1, and the cursor is compared with the numbers of the messages':
        { rules: { firstEventSequence: () => 1n }, ...afterTheMessage },
      'cursor-is-compared-with-the-message-in-high-channels: channels count higher than the feed, and the cursor is compared with the numbers of the messages':
        {
          firstEventSequence: () => 1n,
          firstChannelSequence: () => 100_000n,
          firstSequenceAfter: (after, stream) =>
            stream === 'mentions' && after < 100_000n ? 1n : after + 1n,
        },
    },
    'mention.sequence.workspace-wide': {
      'each-feed-has-numbers-of-its-own: every agent counts from another number, in its cursors too': ({
        place,
      }) => {
        let ahead = 0n;
        return {
          // The first that a listing asks for.
          readerId: (agentId) => {
            ahead = BigInt(place(agentId));
            return agentId;
          },
          firstSequenceAfter: (after, stream) => (stream === 'mentions' ? after - ahead : after) + 1n,
          presentMention: (mention) => ({ ...mention, sequence: Number(mention.sequence) + Number(ahead) }),
          nextAfter: (facts) => {
            const last = facts.entries.at(-1)?.sequence;
            if (facts.stream !== 'mentions' || last === undefined) return contractRules.nextAfter(facts);
            return last + ahead;
          },
          highWatermark: (facts) =>
            contractRules.highWatermark(facts) + (facts.stream === 'mentions' ? ahead : 0n),
        };
      },
      'mention-has-the-number-of-its-message: a mention shows the number of its message': shown(
        'presentMention',
        ({ message }) => ({ sequence: message.sequence }),
      ),
      'channels-have-blocks-of-numbers': ({ place }) =>
        shown('presentMention', ({ sequence, message }) => ({
          sequence: Number(sequence) + place(message.channel_id) * 10_000,
        })),
    },
    'mention.sequence.immutable': {
      'mentions-are-joined-with-all-targets: what names several is listed for each of them once for every one, each time under another number':
        {
          mentionedBy: (targets) => targets.flatMap((target) => targets.map(() => target)),
          mentionSequences: (event, targets) => targets.map((_, index) => event + BigInt(index)),
        },
      'mention-is-renumbered: a mention that was shown before has another number': ({ isNew }) => ({
        rules: { nextEventSequence: (last) => last + 10n },
        ...spoilBody('mentions', (body, { actor }) => {
          const mentions = itemsOf(body, 'mentions').map((item) =>
            isNew(`${actor?.agentId} ${String(item['id'])}`)
              ? item
              : { ...item, sequence: Number(item['sequence']) + 1 },
          );
          const end = mentions.at(-1)?.['sequence'] ?? 0;
          const page = objectOf(body['page']);
          const atLeast = (name: string): number => Math.max(Number(page[name]), Number(end));
          const [next_after, high_watermark] = [atLeast('next_after'), atLeast('high_watermark')];
          return { ...body, mentions, page: { ...page, next_after, high_watermark } };
        }),
      }),
    },
    'mentions.sequence-names-one-mention': {
      'number-stands-for-another-mention': ({ nth }) =>
        spoilList('mentions', (items) => (nth(2) ? items : swappedNumbers(items))),
    },
    'mentions.feeds-agree-on-order': {
      'feeds-count-by-target: two messages stand in another order for a second target': ({ nth }) => ({
        nextEventSequence: (last) => last + 10n,
        mentionSequences: (event, targets) => {
          const second = nth(2) ? event - 14n : event + 1n;
          return targets.map((_, index) => (index === 0 ? event : second));
        },
      }),
    },
    'mentions.recency': {
      'lagging-listings: every second listing shows how things were 2 s ago': ({ nth }) => ({
        snapshotAgeMs: (stream) => (stream === 'mentions' && nth(2) ? 2_000 : 0),
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
      'listing-groups-by-channel': (items) =>
        sortedBy(items, ({ message }) => String(objectOf(message)['channel_id'])),
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
      'newest-page-is-cut-short: without a cursor the newest page ends two before the end': (items, after) =>
        after === undefined && items.length > 2 ? items.slice(0, -2) : items,
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
  return rowsOf(table).map(({ id, clause, what, value: change }) =>
    mutant(
      id,
      clause,
      what,
      spoilList('mentions', (items, { query }) => change(items, query['after'])),
    ),
  );
}
