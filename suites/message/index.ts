import type { Check } from '../../harness/check/check.ts';
import { messageAttachmentChecks } from './attachments.ts';
import { messageAuthorChecks } from './author.ts';
import { messageContentChecks } from './content.ts';
import { messageFieldChecks } from './fields.ts';
import { fullestMessageChecks } from './fullest.ts';
import { messageMentionChecks } from './mentions.ts';
import { messageRecordChecks } from './records.ts';
import { messageStayingChecks } from './staying.ts';

/** Everything about a message as it is read. */
export const messagesChecks: readonly Check[] = [
  ...messageContentChecks,
  ...messageFieldChecks,
  ...messageAuthorChecks,
  ...messageRecordChecks,
  ...messageStayingChecks,
  ...messageMentionChecks,
  ...messageAttachmentChecks,
  ...fullestMessageChecks,
];
