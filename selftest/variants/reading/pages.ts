import type { PageFacts } from '../../../reference/model/page-facts.ts';
import { alternatives, type Variant } from '../base/variant.ts';

const larger = (left: bigint, right: bigint): bigint => (left > right ? left : right);

/** The end of what a page shows, or the cursor that it was asked with. */
const reached = ({ entries, after }: PageFacts): bigint => entries.at(-1)?.sequence ?? after ?? 0n;

/** Freedoms 8 to 16: where a page ends and what its page object says. */
export const pageVariants: readonly Variant[] = [
  ...alternatives(
    {
      id: 'the-last-page-ends-at-the-watermark',
      freedom: 8,
      words: 'page.next-after-beyond-the-items',
      options: () => ({
        rules: {
          nextAfter: (facts) =>
            facts.isMoreAbove ? reached(facts) : larger(reached(facts), facts.streamEnd),
        },
      }),
    },
    {
      id: 'an-empty-page-ends-at-the-watermark',
      freedom: 9,
      words: 'page.next-after-beyond-the-items',
      options: () => ({
        rules: {
          nextAfter: (facts) =>
            facts.entries.length > 0 ? reached(facts) : larger(reached(facts), facts.streamEnd),
        },
      }),
    },
    {
      id: 'a-cursor-beyond-the-watermark-is-clamped',
      freedom: 23,
      words: 'channel-read.after-beyond; mentions.after.maximum',
      options: () => ({
        rules: {
          nextAfter: (facts) =>
            facts.entries.length === 0 && reached(facts) > facts.streamEnd ? facts.streamEnd : reached(facts),
        },
      }),
    },
    {
      id: 'reads-scan-a-bounded-stretch',
      freedom: 12,
      words: 'an empty page may announce more, as long as its cursor moves on',
      isSlow: true,
      options: () => ({
        rules: {
          // Half of a long way and a few numbers of a short one, so that huge gaps are crossed in a bearable number of steps.
          scanEnd: ({ after, streamEnd }) => {
            const rest = streamEnd - after;
            return rest > 400n ? after + rest / 2n : rest > 20n ? after + 20n : streamEnd;
          },
          nextAfter: (facts) => {
            const isFull = facts.entries.length === facts.limit || facts.isCutByBytes;
            return isFull || facts.after === undefined
              ? reached(facts)
              : larger(reached(facts), facts.scannedTo);
          },
        },
      }),
    },
  ),
  ...alternatives(
    {
      id: 'a-full-page-announces-more',
      freedom: 10,
      words: 'page.has-more-without-more',
      options: () => ({
        rules: { hasMore: ({ entries, limit, isMoreAbove }) => isMoreAbove || entries.length === limit },
      }),
    },
    {
      id: 'the-newest-page-announces-the-older-ones',
      freedom: 11,
      words: 'page.has-more-without-more',
      options: () => ({ rules: { hasMore: ({ isMoreAbove, isMoreBelow }) => isMoreAbove || isMoreBelow } }),
    },
  ),
  ...alternatives(
    {
      id: 'a-page-holds-one-item',
      freedom: 13,
      words: 'limits.byte-cap',
      isSlow: true,
      options: () => ({ settings: { historyBytes: 1 } }),
    },
    {
      id: 'a-page-holds-few-items',
      freedom: 13,
      words: 'limits.byte-cap',
      options: () => ({ settings: { historyBytes: 400 } }),
    },
    {
      id: 'a-larger-message-comes-alone',
      freedom: 15,
      words: 'limits.byte-cap; a cap that hid a message for good would break the walk',
      options: () => ({ settings: { historyBytes: 2_000 } }),
    },
    {
      id: 'the-cap-keeps-the-newer-end',
      freedom: 14,
      words: 'which end of a newest page the cap takes is not said',
      options: () => ({ settings: { historyBytes: 400 }, rules: { keepsOlderEndOfNewest: () => false } }),
    },
    {
      id: 'the-cap-counts-more-than-content',
      freedom: 13,
      words: 'limits.byte-cap; what it counts is not said',
      options: () => ({
        settings: { historyBytes: 6_000 },
        rules: { weightUnderCap: ({ sizeBytes }) => sizeBytes * 6 + 700 },
      }),
    },
  ),
  ...alternatives(
    {
      id: 'the-watermark-is-of-the-matches',
      freedom: 16,
      words: 'page.high-watermark-meaning',
      options: ({ rules }) => ({
        rules: {
          highWatermark: (facts) => larger(facts.lastListed(), ownEnd(facts, rules.nextAfter(facts))),
        },
      }),
    },
    {
      id: 'the-watermark-is-of-the-workspace',
      freedom: 16,
      words: 'page.high-watermark-meaning',
      options: () => ({ rules: { highWatermark: (facts) => larger(facts.lastEvent(), facts.streamEnd) } }),
    },
    {
      id: 'the-watermark-is-a-second-old',
      freedom: 16,
      words: 'page.high-watermark-meaning',
      options: ({ rules }) => {
        const known = new Map<string, { mark: bigint; readMs: number }>();
        return {
          rules: {
            highWatermark: (facts) => {
              const kept = known.get(facts.history);
              const isFresh = kept !== undefined && performance.now() - kept.readMs < 1000;
              const mark = larger(
                isFresh ? kept.mark : facts.streamEnd,
                ownEnd(facts, rules.nextAfter(facts)),
              );
              known.set(facts.history, { mark, readMs: isFresh ? kept.readMs : performance.now() });
              return mark;
            },
          },
        };
      },
    },
  ),
];

/** The next cursor of a page, unless it only hands back one from beyond the history. */
function ownEnd({ streamEnd }: PageFacts, nextAfter: bigint): bigint {
  return nextAfter <= streamEnd ? nextAfter : 0n;
}
