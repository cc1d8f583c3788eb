import type { Variant } from '../base/variant.ts';

/** How long a report is not seen with its message, in ms. */
const shownAfterMs = 250;

/** Who counts as having retrieved a message, beyond freedom 33. */
export const receiptVariants: readonly Variant[] = [
  {
    id: 'the-authors-own-report-is-announced',
    words:
      'the author is left out of the preview; that its retrieval is recorded is not excluded, and lies beyond it',
    options: () => ({ rules: { isAnnounced: () => true } }),
  },
  {
    id: 'retrievals-are-timed-in-seconds',
    words:
      'the order of a preview is by time of recording, then by UUID; how precise that time is is not said',
    options: () => ({ rules: { recordedMs: (nowMs) => nowMs - (nowMs % 1000) } }),
  },
  {
    id: 'retrievals-are-shown-later',
    freedom: 33,
    words: 'a report shows in a later fetch; how much later is not said',
    options: ({ rules }) => ({
      rules: {
        isPreviewed: (receipt, authorId) =>
          rules.isPreviewed(receipt, authorId) && Date.now() - receipt.recordedMs >= shownAfterMs,
      },
    }),
  },
  {
    id: 'a-preview-says-that-there-are-no-more',
    freedom: 33,
    words: 'has_more is absent or false where there are no more; that it is never false is read into it',
    mayWarn: ['receipts.has-more.only-true'],
    options: () => ({
      rules: {
        // Its type knows the one value that the contract names.
        presentReceipts: (agentIds, isMore) => ({
          retrieved: { agent_ids: [...agentIds], has_more: isMore as true },
        }),
      },
    }),
  },
];
