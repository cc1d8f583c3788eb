import type { Variant } from './variant.ts';

/** What a feed of mentions may list of one event. */
export const feedVariants: readonly Variant[] = [
  {
    id: 'a-target-is-an-entry-of-its-own',
    freedom: 7,
    words: 'mentions.several-matching-targets; the two entries of one event have its number',
    options: () => ({ rules: { isSameMention: () => false } }),
  },
];
