import { describe, expect, it } from 'vitest';
import { limitedIds } from '../../../selftest/variants/base/limits.ts';
import { goTogether, combinationOf, variants } from '../../../selftest/variants/index.ts';

/** A variant of each thing that a reading of the contract found left open. */
const seenOpen = [
  'channel-numbers-have-gaps',
  'channels-start-at-500',
  'channel-numbers-are-event-numbers',
  'events-jump-by-thousands',
  'a-number-for-each-target',
  'events-are-numbered-out-of-order',
  'a-target-is-an-entry-of-its-own',
  'the-last-page-ends-at-the-watermark',
  'an-empty-page-ends-at-the-watermark',
  'a-full-page-announces-more',
  'the-newest-page-announces-the-older-ones',
  'reads-scan-a-bounded-stretch',
  'pages-have-any-length',
  'the-cap-keeps-the-newer-end',
  'a-larger-message-comes-alone',
  'the-watermark-is-the-end-of-the-page',
  'sends-become-visible-later',
  'the-same-read-is-answered-from-a-cache',
  'mentions-become-visible-later',
  'a-send-is-answered-with-an-empty-204',
  'replicas-trim-late',
  'a-cursor-beyond-the-watermark-conflicts',
  'a-cursor-beyond-the-watermark-is-clamped',
  'a-replay-is-told-by-200',
  'a-key-in-flight-conflicts',
  'keys-belong-to-an-agent',
  'keys-are-forgotten-after-10-minutes',
  'a-key-conflict-is-422',
  'the-default-content-type-is-no-difference',
  'a-key-is-not-needed',
  'a-wait-is-ignored',
  'load-is-refused-now-and-then',
  'others-report-receipts',
  'empty-lists-are-left-out',
  'targets-are-sorted',
  'mentions-show-whole-seconds',
  'agents-of-one-machine-are-one-author',
  'a-channel-is-read-from-its-oldest',
  'others-post-all-the-time',
  'answers-to-sends-get-lost',
  'every-answer-closes-its-connection',
  'fields-come-in-reverse',
];

describe('the variants', () => {
  it('use each of the 42 things that were seen to be left open', () => {
    const ids = new Set(variants.map(({ id }) => id));
    expect(seenOpen).toHaveLength(42);
    expect(seenOpen.filter((id) => !ids.has(id))).toEqual([]);
  });

  it('are slugs, each once, and say what leaves them open', () => {
    const ids = variants.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(id))).toEqual([]);
    expect(variants.filter(({ words }) => words === '')).toEqual([]);
  });

  it('have limits only where there are some', () => {
    // Of histories alone.
    const ids = new Set([...variants.map(({ id }) => id), 'feeds-and-channels-keep-the-newest']);
    expect(limitedIds.filter((id) => !ids.has(id))).toEqual([]);
  });
});

describe('a combination', () => {
  const seeds = Array.from({ length: 440 }, (_, seed) => seed);

  it('is the same for the same seed, and another one for another', () => {
    const ids = seeds.map((seed) =>
      combinationOf(seed)
        .variants.map(({ id }) => id)
        .join(),
    );
    expect(
      seeds.map((seed) =>
        combinationOf(seed)
          .variants.map(({ id }) => id)
          .join(),
      ),
    ).toEqual(ids);
    expect(new Set(ids).size).toBe(seeds.length);
  });

  it('holds 3 to 8 variants that go together, and over some seeds all but those that go with none', () => {
    const combinations = seeds.map((seed) => combinationOf(seed).variants);
    expect(combinations.filter(({ length }) => length < 3 || length > 8)).toEqual([]);
    const clashes = combinations.flatMap((parts) =>
      parts.filter((one) => parts.some((other) => one !== other && !goTogether(one, other))),
    );
    expect(clashes).toEqual([]);
    const combined = new Set(combinations.flat().map(({ id }) => id));
    const apart = variants.filter(({ isAlone }) => isAlone === true).map(({ id }) => id);
    expect(apart).toEqual(['a-target-keeps-two-mentions', 'a-target-keeps-one-mention']);
    expect(variants.map(({ id }) => id).filter((id) => !combined.has(id))).toEqual(apart);
  });
});
