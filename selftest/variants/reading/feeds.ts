import { but, leavingOpen, type Variant } from '../base/variant.ts';

/** What a feed of mentions may list of one event, and how pages of either kind end. */
export const feedVariants: readonly Variant[] = leavingOpen({
  'mentions.several-matching-targets; the two entries of one event have its number': {
    'a-target-is-an-entry-of-its-own': { isSameMention: () => false },
  },
  'limits.byte-cap: neither its value nor that it is one and the same is shown': {
    'pages-have-any-length': but({ isSlow: true }, ({ random }) => ({
      fitsOnPage: ({ count }) => count === 0 || random() < 0.9,
    })),
  },
  'page.high-watermark-meaning; that it never falls is only inferred': {
    'the-watermark-is-the-end-of-the-page': but(
      { mayWarn: ['page.high-watermark-never-falls'] },
      ({ rules }) => ({ highWatermark: (facts) => rules.nextAfter(facts) }),
    ),
  },
});
