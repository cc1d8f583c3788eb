import type { Variant } from '../base/variant.ts';

/** What a feed of mentions may list of one event, and how pages of either kind end. */
export const feedVariants: readonly Variant[] = [
  {
    id: 'a-target-is-an-entry-of-its-own',
    freedom: 7,
    words: 'mentions.several-matching-targets; the two entries of one event have its number',
    options: () => ({ rules: { isSameMention: () => false } }),
  },
  {
    id: 'pages-have-any-length',
    freedom: 13,
    words: 'limits.byte-cap: neither its value nor that it is one and the same is shown',
    isSlow: true,
    options: ({ random }) => ({
      rules: { fitsOnPage: ({ count }) => count === 0 || random() < 0.9 },
    }),
  },
  {
    id: 'the-watermark-is-the-end-of-the-page',
    freedom: 16,
    words: 'page.high-watermark-meaning; that it never falls is only inferred',
    mayWarn: ['page.high-watermark-never-falls'],
    options: ({ rules }) => ({ rules: { highWatermark: (facts) => rules.nextAfter(facts) } }),
  },
];
