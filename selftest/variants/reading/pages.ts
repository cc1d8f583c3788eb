import { jsonText } from '../../../reference/model/json-text.ts';
import type { OutgoingRead, PageFacts } from '../../../reference/model/page-facts.ts';
import { alternatives, leavingOpen, openBy, type Variant } from '../base/variant.ts';

const larger = (left: bigint, right: bigint): bigint => (left > right ? left : right);

/** The end of what a page shows, or the cursor that it was asked with. */
const reached = ({ entries, after }: PageFacts): bigint => entries.at(-1)?.sequence ?? after ?? 0n;

/** Where a page ends and what its page object says. */
export const pageVariants: readonly Variant[] = [
  ...alternatives({
    ...openBy('page.next-after-beyond-the-items', {
      'the-last-page-ends-at-the-watermark': {
        nextAfter: (facts) => (facts.isMoreAbove ? reached(facts) : larger(reached(facts), facts.streamEnd)),
      },
      'an-empty-page-ends-at-the-watermark': {
        nextAfter: (facts) =>
          facts.entries.length > 0 ? reached(facts) : larger(reached(facts), facts.streamEnd),
      },
    }),
    'an-empty-page-ends-at-the-last-match: page.next-after-rises is inferred: what lies between two cursors of which none matches comes to nobody':
      () => ({
        nextAfter: (facts) => {
          if (facts.entries.length === 0) return facts.lastListed();
          return facts.isMoreAbove ? reached(facts) : larger(reached(facts), facts.streamEnd);
        },
      }),
    'a-cursor-beyond-the-watermark-is-clamped: channel-read.after-beyond; mentions.after.maximum': {
      nextAfter: (facts) =>
        facts.entries.length === 0 && reached(facts) > facts.streamEnd ? facts.streamEnd : reached(facts),
    },
    'reads-scan-a-bounded-stretch: an empty page may announce more, as long as its cursor moves on': {
      // Half of a long way and a few numbers of a short one, so that huge gaps are crossed in a bearable number of steps.
      scanEnd: ({ after, streamEnd }) => {
        const rest = streamEnd - after;
        return rest > 400n ? after + rest / 2n : rest > 20n ? after + 20n : streamEnd;
      },
      nextAfter: (facts) => {
        const isFull = facts.entries.length === facts.limit || facts.isCutByBytes;
        return isFull || facts.after === undefined ? reached(facts) : larger(reached(facts), facts.scannedTo);
      },
    },
  }),
  ...alternatives({
    'a-full-page-announces-more: page.has-more-ends-with-the-items is inferred: whoever reads on finds an empty page':
      {
        hasMore: ({ entries, limit, isMoreAbove }) => isMoreAbove || entries.length === limit,
      },
    ...openBy('page.has-more-without-more', {
      'the-newest-page-announces-the-older-ones': {
        hasMore: ({ isMoreAbove, isMoreBelow }) => isMoreAbove || isMoreBelow,
      },
    }),
  }),
  ...alternatives({
    ...openBy('limits.byte-cap', {
      'a-page-holds-one-item': { settings: { historyBytes: 1 } },
      'a-page-holds-few-items': { settings: { historyBytes: 400 } },
      'a-page-holds-two-items': { fitsOnPage: ({ count }) => count < 2 },
      'a-page-holds-seven-items': { fitsOnPage: ({ count }) => count < 7 },
    }),
    ...openBy('limits.byte-cap: a cap may be lower where no cursor says what is wanted', {
      'a-newest-page-holds-its-first-item': {
        presentRead: (read, { page }) => (page.after === undefined ? beginningOfRead(read, 1) : read),
      },
      'a-newest-page-holds-its-first-items': {
        presentRead: (read, { page }) => (page.after === undefined ? beginningOfRead(read, 4) : read),
      },
    }),
    'a-page-without-a-limit-has-a-cap-of-its-own: limits.byte-cap: a cap may be lower where no limit says how much is wanted':
      {
        presentRead: (read, { query }) =>
          query['limit'] === undefined ? beginningOfRead(read, countWithin(read, 12_000)) : read,
      },
    'a-larger-message-comes-alone: limits.byte-cap; a cap that hid a message for good would break the walk': {
      settings: { historyBytes: 2_000 },
    },
    'the-cap-keeps-the-newer-end: which end of a newest page the cap takes is not said': {
      settings: { historyBytes: 400 },
      rules: { keepsOlderEndOfNewest: () => false },
    },
    'the-cap-counts-more-than-content: limits.byte-cap; what it counts is not said': {
      settings: { historyBytes: 6_000 },
      rules: { weightUnderCap: ({ sizeBytes }) => sizeBytes * 6 + 700 },
    },
  }),
  ...alternatives({
    ...openBy('page.high-watermark-meaning', {
      // The last match may be gone, or late.
      'the-watermark-is-of-the-matches': { highWatermark: (facts) => facts.lastListed() },
      'the-watermark-is-far-ahead': { highWatermark: () => 2n ** 62n },
      'the-watermark-is-of-the-workspace': {
        highWatermark: (facts) => larger(facts.lastEvent(), facts.streamEnd),
      },
      'the-watermark-is-a-second-old': ({ rules, sources: { elapsedMs } }) => {
        const known = new Map<string, { mark: bigint; readMs: number }>();
        return {
          highWatermark: (facts) => {
            const kept = known.get(facts.history);
            const isFresh = kept !== undefined && elapsedMs() - kept.readMs < 1000;
            const mark = larger(isFresh ? kept.mark : facts.streamEnd, ownEnd(facts, rules.nextAfter(facts)));
            known.set(facts.history, { mark, readMs: isFresh ? kept.readMs : elapsedMs() });
            return mark;
          },
        };
      },
    }),
  }),
];

/** A page that a cap ends after so many items: what was cut off follows on the next one. */
function beginningOfRead(read: OutgoingRead, count: number): OutgoingRead {
  const items = read.items.slice(0, count);
  const end = items.at(-1);
  if (end === undefined || items.length === read.items.length) return read;
  return { items, page: { ...read.page, next_after: end.sequence, has_more: true } };
}

/** How many items of a page fit under a cap of so many bytes, its first one in any case. */
function countWithin({ items }: OutgoingRead, capBytes: number): number {
  let bytes = 0;
  const beyond = items.findIndex((item) => (bytes += Buffer.byteLength(jsonText(item))) > capBytes);
  return beyond < 0 ? items.length : Math.max(1, beyond);
}

/** The next cursor of a page, unless it only hands back one from beyond the history. */
function ownEnd({ streamEnd }: PageFacts, nextAfter: bigint): bigint {
  return nextAfter <= streamEnd ? nextAfter : 0n;
}

/** What a feed of mentions may list of one event, and how pages of either kind end. */
export const feedVariants: readonly Variant[] = leavingOpen({
  'a-target-is-an-entry-of-its-own: mentions.several-matching-targets; the two entries of one event have its number':
    { isSameMention: () => false },
  'pages-have-any-length: limits.byte-cap: neither its value nor that it is one and the same is shown': ({
    random,
  }) => ({
    fitsOnPage: ({ count }) => count === 0 || random() < 0.9,
  }),
  'the-watermark-is-the-end-of-the-page: page.high-watermark-meaning; that it never falls is only inferred':
    ({ rules }) => ({
      highWatermark: (facts) => rules.nextAfter(facts),
    }),
});
