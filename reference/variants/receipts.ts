import type { Variant } from './variant.ts';

/** Who counts as having retrieved a message, beyond freedom 33. */
export const receiptVariants: readonly Variant[] = [
  {
    id: 'the-authors-own-report-is-announced',
    words:
      'the author is left out of the preview; that its retrieval is recorded is not excluded, and lies beyond it',
    options: () => ({ rules: { isAnnounced: () => true } }),
  },
];
