import { isUuid } from '../../spec/index.ts';
import { check, type Check } from '../../harness/check/check.ts';
import { given } from '../../harness/verdict/outcome.ts';
import { requireAccepted } from '../arrange/send/accepted-sends.ts';

/** What a message says of itself beside its content, where nothing that is read says what it should be. */
export const messageFieldChecks: readonly Check[] = [
  // message.workspace-id.is-its-workspace: The `workspace_id` of a message is that of the workspace it was sent in.
  check(
    'message.names-its-workspace',
    {
      title: 'a message names the workspace that it was sent in',
      clauses: ['message.workspace-id.is-its-workspace'],
      needs: ['author', 'channel', 'workspace'],
    },
    async ({ author, channel, draft, expect, identities }) => {
      const placed = draft();
      const workspaceId = (await identities.workspaceId()).toLowerCase();
      const sent = await author.send(channel.id, placed.text);
      requireAccepted(sent);
      const { message, exchange } = await channel.arrival(placed);
      const { workspace_id: shown } = message;
      given(typeof shown === 'string' && isUuid(shown), 'a message shows no usable workspace_id', exchange);
      const clause = 'message.workspace-id.is-its-workspace';
      expect.equal(clause, 'workspace_id', shown.toLowerCase(), workspaceId, sent, exchange);
    },
  ),
];
