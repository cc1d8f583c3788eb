import { accessRules } from './rules/access.ts';
import { contentRules } from './rules/content.ts';
import { fileRules } from './rules/files.ts';
import { idempotencyRules } from './rules/idempotency.ts';
import { mentionRules } from './rules/mentions.ts';
import { overviewRules } from './rules/overview.ts';
import { pagingRules } from './rules/paging.ts';
import { presentationRules } from './rules/presentation.ts';
import { provenanceRules } from './rules/provenance.ts';
import { receiptRules } from './rules/receipts.ts';
import { refusalRules } from './rules/refusals.ts';
import { sendingRules } from './rules/sending.ts';
import { sequenceRules } from './rules/sequences.ts';
import { sourceSessionRules } from './rules/source-session.ts';
import { waitingRules } from './rules/waiting.ts';

/**
 * The contract as the service keeps it: one small function for each clause of behaviour, asked at every decision.
 * They know nothing of each other, so replacing one changes one clause:
 * `startReference({ rules: { ...contractRules, firstSequenceAfter: (after) => after } })`.
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
