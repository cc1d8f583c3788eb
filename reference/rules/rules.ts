import { accessRules } from './access.ts';
import { contentRules, fileRules } from './content.ts';
import { idempotencyRules } from './idempotency.ts';
import { mentionRules } from './mentions.ts';
import { overviewRules } from './overview.ts';
import { pagingRules, waitingRules } from './paging.ts';
import { presentationRules, provenanceRules } from './presentation.ts';
import { receiptRules } from './receipts.ts';
import { refusalRules } from './refusals.ts';
import { sendingRules } from './sending.ts';
import { sequenceRules } from './sequences.ts';
import { sourceSessionRules } from './source-session.ts';

/**
 * The contract as the service keeps it: one small function for each clause of behaviour, asked at every decision.
 * They know nothing of each other, so replacing one changes one clause:
 * `startReference({ rules: { firstSequenceAfter: (after) => after } })`.
 */
export const contractRules = Object.freeze({
  ...accessRules,
  ...contentRules,
  ...fileRules,
  ...idempotencyRules,
  ...mentionRules,
  ...overviewRules,
  ...pagingRules,
  ...presentationRules,
  ...provenanceRules,
  ...receiptRules,
  ...refusalRules,
  ...sendingRules,
  ...sequenceRules,
  ...sourceSessionRules,
  ...waitingRules,
});

/** A complete set of rules; an overlay spreads `contractRules` first. */
export type Rules = typeof contractRules;
