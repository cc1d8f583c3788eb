import { checksOf } from '../arrange/checks-of.ts';
import { messageAuthorChecks } from './author.ts';
import { messageContentChecks } from './content.ts';
import { messageFieldChecks } from './fields.ts';
import { messageMentionChecks } from './mentions.ts';
import { messageRecordChecks } from './records.ts';
import { renamingChecks } from './renaming.ts';
import { targetPageChecks } from './target-pages.ts';
import { unavailablePrincipalChecks } from './unavailable.ts';

/** Everything about a message as it is read. */
export const messageChecks = checksOf('message', {
  content: messageContentChecks,
  fields: messageFieldChecks,
  author: messageAuthorChecks,
  unavailable: unavailablePrincipalChecks,
  records: messageRecordChecks,
  mentions: messageMentionChecks,
  'target-pages': targetPageChecks,
  renaming: renamingChecks,
});
