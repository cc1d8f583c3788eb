import { but, leavingOpen, type Variant } from '../base/variant.ts';

/** How long a report is not seen with its message, in ms. */
const shownAfterMs = 250;

/** Who counts as having retrieved a message. */
export const receiptVariants: readonly Variant[] = leavingOpen({
  'the author is left out of the preview; that its retrieval is recorded is not excluded, and lies beyond it':
    { 'the-authors-own-report-is-announced': { isAnnounced: () => true } },
  'the order of a preview is by time of recording, then by UUID; how precise that time is is not said': {
    'retrievals-are-timed-in-seconds': { recordedMs: (nowMs) => nowMs - (nowMs % 1000) },
  },
  'a report shows in a later fetch; how much later is not said': {
    'retrievals-are-shown-later': ({ rules, sources }) => ({
      isPreviewed: (receipt, authorId) =>
        rules.isPreviewed(receipt, authorId) && sources.now() - receipt.recordedMs >= shownAfterMs,
    }),
  },
  'nothing says that a preview is as recent as the one before': {
    'previews-come-from-replicas': but(
      { mayWarn: ['receipts.agent-ids.earlier-is-a-prefix'], excludes: ['retrievals-are-shown-later'] },
      ({ rules, random, sources }) => ({
        isPreviewed: (receipt, authorId) =>
          rules.isPreviewed(receipt, authorId) && receipt.recordedMs <= sources.now() - random() * 120,
      }),
    ),
  },
  'has_more is absent or false where there are no more; that it is never false is read into it': {
    'a-preview-says-that-there-are-no-more': but(
      { mayWarn: ['receipts.has-more.only-true'] },
      {
        // Its type knows the one value that the contract names.
        presentReceipts: (agentIds, isMore) => ({
          retrieved: { agent_ids: [...agentIds], has_more: isMore as true },
        }),
      },
    ),
  },
});
