import type { Check } from '../../harness/check/check.ts';
import { fullListChecks } from './lists.ts';
import { manyAgentsChecks } from './many-agents.ts';
import { mentionedReceiptChecks } from './mentioned.ts';
import { previewChecks } from './previews.ts';

/** Which agents reported that they retrieved a message. */
export const receiptsChecks: readonly Check[] = [
  ...previewChecks,
  ...mentionedReceiptChecks,
  ...fullListChecks,
  ...manyAgentsChecks,
];
