import { expect, it } from 'vitest';
import { boundsOfClause } from '../../spec/bounds.ts';
import { clauses } from '../../spec/clauses.ts';

it('the bounds of lengths that clauses set for answers are these, in words', () => {
  const found = clauses.flatMap(({ id }) => {
    const words = [...boundsOfClause(id).values()];
    return words.length === 0 ? [] : [[id, words]];
  });
  expect(Object.fromEntries(found)).toEqual({
    'author.agent-host.length': ['`agent_host` of 1 character', '`agent_host` of 80 characters'],
    'file.filename.length': ['`filename` of 1 character', '`filename` of 255 characters'],
    'message.attachments.max': ['`attachments` with 20 elements'],
    'message.mentions.max': ['`mentions` with 20 elements'],
    'receipts.agent-ids.max': ['`agent_ids` with 32 elements'],
    'source-session.session-id.max-length': ['`session_id` of 128 characters'],
  });
});
