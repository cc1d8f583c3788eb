import type { ClauseId } from '../../spec/index.ts';
import type { PageFacts, StreamName } from '../../reference/model/page-facts.ts';
import { contractRules, type Rules } from '../../reference/rules/rules.ts';
import { breaking, mutant, type Mutant } from './base/mutant.ts';
import { itemsOf, sequenceOf, spoilBody, spoilList, type ReadRoute } from './base/spoil-answer.ts';

const streams: readonly StreamName[] = ['channel', 'mentions'];

/** The same fault in one of the two histories. */
function inEach(
  id: string,
  clause: ClauseId | Readonly<Record<StreamName, ClauseId>>,
  what: string,
  rulesIn: (is: (facts: { readonly stream: StreamName }) => boolean) => Partial<Rules>,
): Mutant[] {
  return streams.map((stream) =>
    mutant(
      `${stream}-${id}`,
      typeof clause === 'string' ? clause : clause[stream],
      `${what} (${stream})`,
      () => ({
        rules: rulesIn((facts) => facts.stream === stream),
      }),
    ),
  );
}

const walkOf = { channel: 'channel-read.walk-is-complete', mentions: 'mentions.walk-is-complete' } as const;
const exclusiveOf = {
  channel: 'channel-read.after-exclusive',
  mentions: 'mentions.after.exclusive',
} as const;
const last = (facts: PageFacts): bigint | undefined => facts.entries.at(-1)?.sequence;
const next = (facts: PageFacts): bigint => contractRules.nextAfter(facts);

/** `next_after` that hands items over again, or never leads on. */
const cursorMutants: readonly Mutant[] = [
  ...inEach(
    'next-after-is-before-the-last',
    'page.next-after-not-behind-items',
    'the next cursor is one before the last item',
    (is) => ({
      nextAfter: (facts) => next(facts) - (is(facts) && facts.entries.length > 0 ? 1n : 0n),
    }),
  ),
  ...inEach(
    'next-after-is-the-first',
    'page.next-after-not-behind-items',
    'the next cursor is the first item of the page',
    (is) => ({
      nextAfter: (facts) => (is(facts) ? facts.entries[0]?.sequence : undefined) ?? next(facts),
    }),
  ),
  ...inEach(
    'next-after-is-short-of-a-full-page',
    'page.next-after-not-behind-items',
    'the next cursor of a page of ten or more is one before its last item',
    (is) => ({
      nextAfter: (facts) => next(facts) - (is(facts) && facts.entries.length >= 10 ? 1n : 0n),
    }),
  ),
  ...inEach(
    'next-after-stays',
    'page.next-after-passes-the-cursor',
    'a page with more behind it hands its cursor back',
    (is) => ({
      nextAfter: (facts) => (is(facts) && facts.isMoreAbove ? (facts.after ?? 0n) : next(facts)),
    }),
  ),
  ...inEach(
    'empty-page-starts-over',
    'page.next-after-never-falls-back',
    'the next cursor of an empty page is 0',
    (is) => ({
      nextAfter: (facts) => (is(facts) ? (last(facts) ?? 0n) : next(facts)),
    }),
  ),
  ...inEach(
    'empty-page-goes-back',
    'page.next-after-never-falls-back',
    'the next cursor of an empty page is one less than its own',
    (is) => ({
      nextAfter: (facts) =>
        is(facts) && facts.entries.length === 0 && (facts.after ?? 0n) > 0n ? next(facts) - 1n : next(facts),
    }),
  ),
  ...inEach(
    'bounded-scan-stays',
    'page.empty-page-moves-on',
    'a scan that found nothing says that more is there and hands its cursor back',
    (is) => ({
      hasMore: (facts) =>
        facts.isMoreAbove || (is(facts) && facts.after !== undefined && facts.entries.length === 0),
    }),
  ),
  ...breaking({
    'page.empty-page-moves-on': {
      'large-message-blocks-the-channel': {
        rules: { fitsOnPage: ({ bytes, nextBytes, capBytes }) => bytes + nextBytes <= capBytes },
        settings: { historyBytes: 300_000 },
      },
    },
  }),
];

/** Items that a walk passes over. */
const skippingMutants: readonly Mutant[] = [
  ...inEach('next-after-is-one-too-far', walkOf, 'the next cursor is one beyond the last item', (is) => ({
    nextAfter: (facts) => next(facts) + (is(facts) && facts.entries.length > 0 ? 1n : 0n),
  })),
  ...inEach(
    'next-after-is-too-far-between-pages',
    walkOf,
    'the next cursor of a page with more behind it is one too far',
    (is) => ({
      nextAfter: (facts) => next(facts) + (is(facts) && facts.isMoreAbove ? 1n : 0n),
    }),
  ),
  ...inEach(
    'next-after-is-too-far-after-50',
    walkOf,
    'the next cursor of a page of 50 or more is one too far',
    (is) => ({
      nextAfter: (facts) => next(facts) + (is(facts) && facts.entries.length >= 50 ? 1n : 0n),
    }),
  ),
  ...inEach('next-after-is-the-watermark', walkOf, 'the next cursor is the end of the history', (is) => ({
    nextAfter: (facts) => (is(facts) && facts.entries.length > 0 ? facts.streamEnd : next(facts)),
  })),
  ...inEach(
    'next-after-adds-the-limit',
    walkOf,
    'the next cursor is the cursor and the limit together',
    (is) => ({
      nextAfter: (facts) =>
        is(facts) && facts.after !== undefined && facts.isMoreAbove
          ? maxOf(facts.after + BigInt(facts.limit) + 1n, next(facts))
          : next(facts),
    }),
  ),
  ...routes().map(([route, stream]) =>
    mutant(
      `${stream}-pages-lack-their-second-item`,
      walkOf[stream],
      `a page of three or more lacks its second item (${stream})`,
      {
        answer: spoilList(route, (items) =>
          items.length >= 3 ? items.filter((_, index) => index !== 1) : items,
        ),
      },
    ),
  ),
  ...routes().map(([route, stream]) =>
    mutant(
      `${stream}-small-pages-lack-an-item`,
      walkOf[stream],
      `a full page of up to ten lacks its last item, and its cursor is beyond it (${stream})`,
      {
        answer: spoilList(route, (items, { query }) =>
          items.length > 1 && items.length <= 10 && String(items.length) === query['limit']
            ? items.slice(0, -1)
            : items,
        ),
      },
    ),
  ),
  ...breaking({
    'limits.byte-cap-loses-nothing': {
      'cut-page-is-passed-over': {
        nextAfter: (facts) =>
          facts.isCutByBytes && facts.after !== undefined
            ? maxOf(next(facts), minOf(facts.after + BigInt(facts.limit), facts.streamEnd))
            : next(facts),
      },
      'cut-page-loses-one': { nextAfter: (facts) => next(facts) + (facts.isCutByBytes ? 1n : 0n) },
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
const hasMoreMutants: readonly Mutant[] = [
  ...inEach('has-more-is-false', 'page.has-more-while-items-remain', 'has_more is always false', (is) => ({
    hasMore: (facts) => facts.isMoreAbove && !is(facts),
  })),
  ...inEach(
    'has-more-is-false-for-small-limits',
    'page.has-more-while-items-remain',
    'has_more is false for a limit of 1',
    (is) => ({
      hasMore: (facts) => facts.isMoreAbove && !(is(facts) && facts.limit === 1),
    }),
  ),
  ...inEach(
    'has-more-wants-two',
    'page.has-more-while-items-remain',
    'has_more is false when a single item is left',
    (is) => ({
      hasMore: (facts) => facts.isMoreAbove && !(is(facts) && (last(facts) ?? 0n) + 1n >= facts.lastListed()),
    }),
  ),
  ...inEach(
    'has-more-knows-no-byte-cap',
    'page.has-more-while-items-remain',
    'has_more is false when the byte cap ended the page',
    (is) => ({
      hasMore: (facts) => facts.isMoreAbove && !(is(facts) && facts.isCutByBytes),
    }),
  ),
  ...inEach(
    'has-more-is-turned-round',
    'page.has-more-while-items-remain',
    'has_more is true on the last page and false before',
    (is) => ({
      hasMore: (facts) => (is(facts) && facts.entries.length > 0 ? !facts.isMoreAbove : facts.isMoreAbove),
    }),
  ),
];

const watermarkMutants: readonly Mutant[] = [
  ...inEach(
    'watermark-is-zero',
    'page.high-watermark-covers-the-page',
    'the watermark is always 0',
    (is) => ({ highWatermark: (facts) => (is(facts) ? 0n : facts.streamEnd) }),
  ),
  ...inEach(
    'watermark-is-one-short',
    'page.high-watermark-covers-the-page',
    'the watermark is one less than the end',
    (is) => ({
      highWatermark: (facts) => (is(facts) && facts.streamEnd > 0n ? facts.streamEnd - 1n : facts.streamEnd),
    }),
  ),
  ...inEach(
    'watermark-is-the-first',
    'page.high-watermark-covers-the-page',
    'the watermark is the first item of the page',
    (is) => ({
      highWatermark: (facts) => (is(facts) ? facts.entries[0]?.sequence : undefined) ?? facts.streamEnd,
    }),
  ),
  ...inEach(
    'watermark-follows-the-page',
    'page.high-watermark-never-falls',
    'the watermark is where the page ends',
    (is) => ({ highWatermark: (facts) => (is(facts) ? next(facts) : facts.streamEnd) }),
  ),
  ...streams.map((stream) =>
    mutant(
      `${stream}-watermark-swings`,
      'page.high-watermark-never-falls',
      `every second watermark is one higher (${stream})`,
      () => {
        let reads = 0;
        return {
          rules: {
            highWatermark: (facts) =>
              facts.streamEnd + (facts.stream === stream && (reads += 1) % 2 === 0 ? 1n : 0n),
          },
        };
      },
    ),
  ),
];

/** Cursors that let their own item in, or leave others out. */
const exclusiveMutants: readonly Mutant[] = [
  ...streams.map((stream) =>
    mutant(`${stream}-cursor-is-inclusive`, exclusiveOf[stream], `the cursor is inclusive (${stream})`, {
      rules: { firstSequenceAfter: (after, of) => (of === stream && after > 0n ? after : after + 1n) },
    }),
  ),
  ...routes().map(([route, stream]) =>
    mutant(
      `${stream}-cursor-is-inclusive-on-small-pages`,
      exclusiveOf[stream],
      `the cursor is inclusive for limits below 10 (${stream})`,
      () => {
        const seen = new Map<string, unknown>();
        return { answer: withItemOfCursor(route, seen, (limit) => limit < 10) };
      },
    ),
  ),
  ...routes().map(([route, stream]) =>
    mutant(
      `${stream}-cursor-is-inclusive-at-the-end`,
      exclusiveOf[stream],
      `the cursor is inclusive where nothing follows it (${stream})`,
      () => {
        const seen = new Map<string, unknown>();
        return {
          answer: withItemOfCursor(
            route,
            seen,
            () => true,
            (items) => items.length === 0,
          ),
        };
      },
    ),
  ),
];

/** Puts the item that the cursor names before the page, where it is known from an earlier one. */
function withItemOfCursor(
  route: ReadRoute,
  seen: Map<string, unknown>,
  isWanted: (limit: number) => boolean,
  onPage: (items: readonly unknown[]) => boolean = () => true,
): NonNullable<ReturnType<Mutant['options']>['answer']> {
  return spoilBody(route, (body, { query, path, actor }) => {
    const items = itemsOf(body, route);
    const keyOf = (sequence: bigint): string => `${actor?.agentId} ${path} ${sequence}`;
    for (const item of items) seen.set(keyOf(sequenceOf(item)), item);
    const after = query['after'];
    const repeated = after === undefined || !/^\d+$/.test(after) ? undefined : seen.get(keyOf(BigInt(after)));
    if (repeated === undefined || !isWanted(Number(query['limit'] ?? 50)) || !onPage(items)) return body;
    return { ...body, [route === 'read' ? 'messages' : 'mentions']: [repeated, ...items] };
  });
}

export const pageMutants: readonly Mutant[] = [
  ...cursorMutants,
  ...skippingMutants,
  ...hasMoreMutants,
  ...watermarkMutants,
  ...exclusiveMutants,
];

function routes(): readonly (readonly [ReadRoute, StreamName])[] {
  return [
    ['read', 'channel'],
    ['mentions', 'mentions'],
  ];
}

function maxOf(left: bigint, right: bigint): bigint {
  return left > right ? left : right;
}

function minOf(left: bigint, right: bigint): bigint {
  return left < right ? left : right;
}
