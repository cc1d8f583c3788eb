import { checksOf } from '../arrange/checks-of.ts';
import { fullListChecks } from './lists.ts';
import { manyAgentsChecks } from './many-agents.ts';
import { mentionedReceiptChecks } from './mentioned.ts';
import { previewChecks } from './previews.ts';
import { receiptRestartChecks } from './restart.ts';
import { siblingChecks } from './siblings.ts';
import { togetherChecks } from './together.ts';

/** Which agents reported that they retrieved a message. */
export const receiptsChecks = checksOf('receipts', {
  previews: previewChecks,
  mentioned: mentionedReceiptChecks,
  siblings: siblingChecks,
  together: togetherChecks,
  lists: fullListChecks,
  'many-agents': manyAgentsChecks,
  restart: receiptRestartChecks,
});
