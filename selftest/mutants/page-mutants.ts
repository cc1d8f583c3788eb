import type { ClauseId } from '../../spec/index.ts';
import type { PageFacts, StreamName } from '../../reference/model/page-facts.ts';
import { contractRules, type Rules } from '../../reference/rules/rules.ts';
import { breaking, mutant, type Mutant, named } from './base/mutant.ts';
import type { Memory, Overlay } from './base/overlay.ts';
import {
  type Answering,
  itemsOf,
  type JsonObject,
  listOf,
  objectOf,
  sequenceOf,
  spoilBody,
  spoilList,
  type ReadRoute,
} from './base/spoil-answer.ts';

const streams: readonly StreamName[] = ['channel', 'mentions'];

type RuleOfPage = 'nextAfter' | 'hasMore' | 'highWatermark';

/** What a page says of itself, wrong in one of the two histories: a mutant for each. */
function inEach<Name extends RuleOfPage>(
  rule: Name,
  clause: ClauseId | Readonly<Record<StreamName, ClauseId>>,
  table: Readonly<Record<string, Rules[Name]>>,
): Mutant[] {
  const keep = contractRules[rule] as (facts: PageFacts) => unknown;
  const faults = Object.entries(table).map(([id, wrong]) => [
    id,
    (_route: ReadRoute, _memory: Memory, stream: StreamName) => ({
      [rule]: (facts: PageFacts) => (facts.stream === stream ? wrong(facts) : keep(facts)),
    }),
  ]);
  return onPages(typeof clause === 'string' ? always(clause) : clause, Object.fromEntries(faults));
}

const walkOf = { channel: 'channel-read.walk-is-complete', mentions: 'mentions.walk-is-complete' } as const;
const exclusiveOf = {
  channel: 'channel-read.after-exclusive',
  mentions: 'mentions.after.exclusive',
} as const;
const lastSequence = (facts: PageFacts): bigint | undefined => facts.entries.at(-1)?.sequence;
const next = (facts: PageFacts): bigint => contractRules.nextAfter(facts);

/** `next_after` that hands items over again, or never leads on. */
const cursorMutants: readonly Mutant[] = [
  ...inEach('nextAfter', 'page.next-after-not-behind-items', {
    'next-after-is-before-the-last': (facts) => next(facts) - (facts.entries.length > 0 ? 1n : 0n),
    'next-after-is-the-first': (facts) => facts.entries[0]?.sequence ?? next(facts),
    'next-after-is-short-of-a-full-page': (facts) => next(facts) - (facts.entries.length >= 10 ? 1n : 0n),
  }),
  ...inEach('nextAfter', 'page.next-after-passes-the-cursor', {
    'next-after-stays': (facts) => (facts.isMoreAbove ? (facts.after ?? 0n) : next(facts)),
  }),
  ...inEach('nextAfter', 'page.next-after-never-falls-back', {
    'empty-page-starts-over': (facts) => lastSequence(facts) ?? 0n,
    'empty-page-goes-back': (facts) =>
      facts.entries.length === 0 && (facts.after ?? 0n) > 0n ? next(facts) - 1n : next(facts),
  }),
  ...breaking({
    'page.next-after-rises': {
      'an-empty-page-goes-back-to-the-last-match': {
        nextAfter: (facts) => {
          if (facts.entries.length === 0) return facts.lastListed();
          return facts.isMoreAbove ? next(facts) : maxOf(next(facts), facts.streamEnd);
        },
      },
    },
  }),
  // A scan that found nothing says that more is there, and hands its cursor back.
  ...inEach('hasMore', 'page.empty-page-moves-on', {
    'bounded-scan-stays': (facts) =>
      facts.isMoreAbove || (facts.after !== undefined && facts.entries.length === 0),
    'has-more-is-true': () => true,
  }),
  ...breaking({
    'mentions.newest-page': {
      'newest-page-looks-at-a-hundred-events: a first page lists what is among the last hundred mentions of the workspace, whomever they name':
        spoilBody('mentions', (body, { query }) => {
          const { high_watermark: latest } = objectOf(body['page']);
          const isWithin = (item: JsonObject): boolean => sequenceOf(item) > BigInt(String(latest)) - 100n;
          const items = itemsOf(body, 'mentions');
          return { ...body, mentions: query['after'] === undefined ? items.filter(isWithin) : items };
        }),
    },
    'page.has-more-while-items-remain': {
      'nothing-follows-the-end-of-a-block: a cursor at every 64th message of a channel finds nothing': {
        firstSequenceAfter: (after, stream) =>
          stream === 'channel' && after > 0n && after % 64n === 0n ? 2n ** 62n : after + 1n,
      },
    },
    'page.empty-page-moves-on': {
      'large-message-blocks-the-channel': blockedByLarge('channel'),
      'large-message-blocks-the-feed': blockedByLarge('mentions'),
    },
  }),
];

/** What is larger than the cap of a page comes on none. */
function blockedByLarge(stream: StreamName): Overlay {
  return {
    rules: {
      fitsOnPage: (page) =>
        contractRules.fitsOnPage(page) &&
        (page.stream !== stream || page.bytes + page.nextBytes <= page.capBytes),
    },
    settings: { historyBytes: 300_000 },
  };
}

/** Items that a walk passes over. */
const skippingMutants: readonly Mutant[] = [
  ...inEach('nextAfter', walkOf, {
    'next-after-is-one-too-far': (facts) => next(facts) + (facts.entries.length > 0 ? 1n : 0n),
    'next-after-is-too-far-between-pages': (facts) => next(facts) + (facts.isMoreAbove ? 1n : 0n),
    'next-after-is-too-far-after-50': (facts) => next(facts) + (facts.entries.length >= 50 ? 1n : 0n),
    'next-after-is-the-watermark': (facts) => (facts.entries.length > 0 ? facts.streamEnd : next(facts)),
    'next-after-adds-the-limit': (facts) =>
      facts.after !== undefined && facts.isMoreAbove
        ? maxOf(facts.after + BigInt(facts.limit) + 1n, next(facts))
        : next(facts),
  }),
  ...onPages(walkOf, {
    'pages-lack-their-second-item: a page of three or more lacks its second item': (route) =>
      spoilList(route, (items) => (items.length >= 3 ? items.toSpliced(1, 1) : items)),
    'small-pages-lack-an-item: a full page of up to ten lacks its last item, and its cursor is beyond it': (
      route,
    ) =>
      spoilList(route, (items, { query }) =>
        items.length > 1 && items.length <= 10 && String(items.length) === query['limit']
          ? items.slice(0, -1)
          : items,
      ),
  }),
  ...breaking({
    'limits.byte-cap-loses-nothing': {
      'cut-page-is-passed-over': {
        nextAfter: (facts) =>
          facts.isCutByBytes && facts.after !== undefined
            ? maxOf(next(facts), minOf(facts.after + BigInt(facts.limit), facts.streamEnd))
            : next(facts),
      },
      'cut-page-loses-one': { nextAfter: (facts) => next(facts) + (facts.isCutByBytes ? 1n : 0n) },
      'a-cut-poll-loses-one: a read that may wait passes over the first message that the byte cap cut off its page':
        spoilBody('read', (body, { query }) => {
          const page = objectOf(body['page']);
          const isCut =
            page['has_more'] === true && listOf(body['messages']).length < Number(query['limit'] ?? 100);
          return isCut && Number(query['wait'] ?? 0) > 0
            ? { ...body, page: { ...page, next_after: Number(page['next_after']) + 1 } }
            : body;
        }),
    },
    'mentions.shortened-first-page-continues': {
      'cut-newest-page-is-passed-over': {
        nextAfter: (facts) =>
          facts.stream === 'mentions' && facts.after === undefined && facts.isCutByBytes
            ? facts.streamEnd
            : next(facts),
      },
      'cut-newest-page-says-that-was-all': {
        hasMore: (facts) =>
          facts.isMoreAbove &&
          !(facts.stream === 'mentions' && facts.after === undefined && facts.isCutByBytes),
      },
    },
  }),
];

/** `has_more` that says that the end was reached before it was. */
const hasMoreMutants: readonly Mutant[] = inEach('hasMore', 'page.has-more-while-items-remain', {
  'has-more-is-false': () => false,
  'has-more-is-false-for-small-limits': (facts) => facts.isMoreAbove && facts.limit !== 1,
  'has-more-wants-two': (facts) => facts.isMoreAbove && (lastSequence(facts) ?? 0n) + 1n < facts.lastListed(),
  'has-more-knows-no-byte-cap': (facts) => facts.isMoreAbove && !facts.isCutByBytes,
  'has-more-is-turned-round': (facts) => (facts.entries.length > 0 ? !facts.isMoreAbove : facts.isMoreAbove),
});

/** `has_more` that announces what is not there. */
const phantomMutants: readonly Mutant[] = [
  ...inEach('hasMore', 'page.has-more-ends-with-the-items', {
    'a-full-page-always-announces-more': ({ entries, limit, isMoreAbove }) =>
      isMoreAbove || entries.length === limit,
  }),
  ...breaking({
    'page.has-more-ends-with-the-items': {
      'what-names-others-is-announced: a page of mentions announces what comes after it, whomever that names':
        {
          hasMore: (facts) =>
            facts.isMoreAbove ||
            (facts.stream === 'mentions' && (lastSequence(facts) ?? facts.streamEnd) < facts.streamEnd),
        },
      'targets-are-counted-as-mentions: a page of mentions announces more where its messages have more targets than it may have mentions':
        spoilBody('mentions', (body, { query }) => {
          const targets = listOf(body['mentions']).flatMap((each) =>
            listOf(objectOf(objectOf(each)['message'])['mentions']),
          );
          const page = objectOf(body['page']);
          return targets.length > Number(query['limit'] ?? 50)
            ? { ...body, page: { ...page, has_more: true } }
            : body;
        }),
    },
  }),
];

const watermarkMutants: readonly Mutant[] = [
  ...inEach('highWatermark', 'page.high-watermark-covers-the-page', {
    'watermark-is-zero': () => 0n,
    'watermark-is-one-short': (facts) => (facts.streamEnd > 0n ? facts.streamEnd - 1n : facts.streamEnd),
    'watermark-is-the-first': (facts) => facts.entries[0]?.sequence ?? facts.streamEnd,
  }),
  ...inEach('highWatermark', 'page.high-watermark-never-falls', { 'watermark-follows-the-page': next }),
  ...onPages(always('page.high-watermark-never-falls'), {
    'watermark-swings: every second watermark is one higher': (_route, { nth }, stream) => ({
      highWatermark: (facts) => facts.streamEnd + (facts.stream === stream && nth(2) ? 1n : 0n),
    }),
  }),
];

/** Cursors that let their own item in, or leave others out. */
const exclusiveMutants: readonly Mutant[] = onPages(exclusiveOf, {
  'cursor-is-inclusive: the cursor is inclusive': (_route, _memory, stream) => ({
    firstSequenceAfter: (after, of) => (of === stream && after > 0n ? after : after + 1n),
  }),
  'cursor-is-inclusive-on-small-pages: the cursor is inclusive for limits below 10': (route) =>
    withItemOfCursor(route, (_items, limit) => limit < 10),
  'cursor-is-inclusive-at-the-end: the cursor is inclusive where nothing follows it': (route) =>
    withItemOfCursor(route, (items) => items.length === 0),
});

/** A mutant for each of the two histories, by a fault of pages of one. */
function onPages(
  clause: Readonly<Record<StreamName, ClauseId>>,
  table: Readonly<
    Record<string, (route: ReadRoute, memory: Memory, stream: StreamName) => Partial<Rules> | Overlay>
  >,
): Mutant[] {
  return Object.entries(table).flatMap(([name, fault]) =>
    streams.map((stream) => {
      const { id, what } = named(name);
      const route = stream === 'channel' ? 'read' : 'mentions';
      return mutant(`${stream}-${id}`, clause[stream], `${what} (${stream})`, (memory) =>
        fault(route, memory, stream),
      );
    }),
  );
}

/** One clause, whichever history it is of. */
function always(clause: ClauseId): Readonly<Record<StreamName, ClauseId>> {
  return { channel: clause, mentions: clause };
}

/** Puts the item that the cursor names before the page, where it is known from an earlier one. */
function withItemOfCursor(
  route: ReadRoute,
  isMeant: (items: readonly unknown[], limit: number) => boolean,
): Answering {
  const seen = new Map<string, JsonObject>();
  return spoilList(route, (items, { query, path, actor }) => {
    const keyOf = (sequence: bigint): string => `${actor?.agentId} ${path} ${sequence}`;
    for (const item of items) seen.set(keyOf(sequenceOf(item)), item);
    const { after = '', limit = '50' } = query;
    const repeated = /^\d+$/.test(after) ? seen.get(keyOf(BigInt(after))) : undefined;
    return repeated !== undefined && isMeant(items, Number(limit)) ? [repeated, ...items] : items;
  });
}

export const pageRuleMutants: readonly Mutant[] = [
  ...cursorMutants,
  ...skippingMutants,
  ...hasMoreMutants,
  ...phantomMutants,
  ...watermarkMutants,
  ...exclusiveMutants,
];

function maxOf(left: bigint, right: bigint): bigint {
  return left > right ? left : right;
}

function minOf(left: bigint, right: bigint): bigint {
  return left < right ? left : right;
}
