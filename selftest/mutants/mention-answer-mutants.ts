import { randomUUID } from 'node:crypto';
import type { AnsweredRequest } from '../../reference/model/answer.ts';
import { replacing, shown } from './base/changed-rules.ts';
import { breaking, mutant, rowsOf, type Mutant } from './base/mutant.ts';
import {
  type Answering,
  isEmptyPage,
  objectOf,
  otherUuid,
  refusalAs,
  sequenceOf,
  spoilItems,
  spoilList,
  spoilSuccess,
  successAs,
  without,
  type JsonObject,
} from './base/spoil-answer.ts';

/** The id of an API key, whosesoever it is. */
const keyId = '5f3b1c70-8a4e-4d1b-9d57-0c6f5a2e7b11';

/** How a message in the listing of mentions differs from the same one in its channel. */
const listedOtherwise = rowsOf<(message: JsonObject, mention: JsonObject) => JsonObject>({
  'mentions.feed-agrees-with-channel': {
    'content-is-a-preview': ({ content }) => ({ content: String(content).slice(0, 200) }),
    'content-is-a-short-preview': ({ content }) => ({ content: String(content).slice(0, 40) }),
    'content-type-is-plain': () => ({ content_type: 'text/plain' }),
    'size-is-one-more': ({ size_bytes: size }) => ({ size_bytes: Number(size) + 1 }),
    'time-is-now': () => ({ created_at: new Date().toISOString() }),
    'time-is-a-second-off': ({ created_at: at }) => ({
      created_at: new Date(Date.parse(String(at)) + 1_000).toISOString(),
    }),
    'author-has-no-machine': ({ author }) => ({ author: { ...objectOf(author), machine: null } }),
    'author-has-no-human': ({ author }) => ({ author: { ...objectOf(author), human_user: null } }),
    'author-has-another-name': ({ author }) => ({
      author: { ...objectOf(author), display_name: 'Somebody' },
    }),
    'sequence-is-the-mention-s': (_message, { sequence }) => ({ sequence }),
    'attachments-are-left-out': () => ({ attachments: [] }),
    'targets-are-the-reader-s': ({ mentions }) => ({
      mentions: Array.isArray(mentions) ? mentions.slice(0, 1) : [],
    }),
    'targets-are-left-out': () => ({ mentions: [] }),
    'workspace-is-another': ({ workspace_id: id }) => ({ workspace_id: otherUuid(String(id)) }),
    'channel-is-another': ({ channel_id: id }) => ({ channel_id: otherUuid(String(id)) }),
  },
  'message.optional-fields-in-every-view': {
    'source-session-is-left-out': ({ author }) => ({ author: without(objectOf(author), 'source_session') }),
    'agent-host-is-left-out': ({ author }) => ({ author: { ...objectOf(author), agent_host: null } }),
    'targets-are-not-shown': () => ({ mentions: undefined }),
    'attachments-are-not-shown': () => ({ attachments: undefined }),
  },
});

/** Statuses, headers and the message within a mention. */
export const mentionAnswerMutants: readonly Mutant[] = [
  ...breaking({
    'mentions.own-workspace-only': {
      'listing-holds-a-foreign-message': spoilList('mentions', withForeignFirst),
    },
    'mentions.empty-page': {
      'empty-listing-is-204': spoilSuccess('mentions', (answer, request) =>
        isEmptyPage('mentions')(request, answer) ? { status: 204, headers: {} } : answer,
      ),
      'empty-listing-is-404': successAs(404, 'mentions', isEmptyPage('mentions')),
      'empty-listing-is-400': successAs(400, 'mentions', isEmptyPage('mentions')),
    },
    'mentions.agent-id-header.is-the-caller': {
      ...replacing('agentIdHeader', {
        'agent-id-is-of-the-human': ({ humanUserId, id }) => humanUserId ?? id,
        'agent-id-is-of-the-machine': ({ machineId, id }) => machineId ?? id,
        'agent-id-is-of-the-workspace': ({ workspaceId }) => workspaceId,
        'agent-id-is-constant': () => '00000000-0000-4000-8000-000000000000',
        'agent-id-is-random': () => randomUUID(),
      }),
      'agent-id-is-of-the-first': ({ first }) => ({ agentIdHeader: ({ id }) => first(null, id) }),
    },
    'mentions.agent-id-header.api-key-speaks-for': {
      'the-key-has-an-id-of-its-own: the agent id header of an API key is the id of the key': spoilSuccess(
        'mentions',
        ({ headers, ...answer }, { headers: { authorization } }) =>
          /^bearer +key_/i.test(String(authorization))
            ? { ...answer, headers: { ...headers, 'x-service-agent-id': keyId } }
            : { ...answer, headers },
      ),
    },
    'mentions.agent-id-header.present': {
      'no-agent-id: no listing has the agent id header': { agentIdHeader: () => null },
      'no-agent-id-on-empty-listings: an empty listing has no agent id header': spoilSuccess(
        'mentions',
        (answer, request) => (isEmptyPage('mentions')(request, answer) ? { ...answer, headers: {} } : answer),
      ),
    },
    'mentions.agent-id-header.type': replacing('agentIdHeader', {
      'agent-id-is-a-name': ({ displayName }) => displayName,
      'agent-id-has-no-hyphens': ({ id }) => id.replaceAll('-', ''),
      'agent-id-is-empty: the agent id header is empty': () => '',
    }),
    'mention.id.is-the-message-id': {
      'mention-has-an-id-of-its-own: a mention has another id than its message': shown(
        'presentMention',
        ({ id }) => ({ id: otherUuid(id) }),
      ),
      'mention-has-the-id-of-the-author: a mention has the id of the author of its message': shown(
        'presentMention',
        ({ message }) => ({ id: message.author.id }),
      ),
      'mention-has-the-id-of-the-channel: a mention has the id of its channel': shown(
        'presentMention',
        ({ message }) => ({ id: message.channel_id }),
      ),
    },
    'mentions.status-is-200': {
      'listing-is-201: a listing is answered with 201': successAs(201, 'mentions'),
      'listing-is-202: a listing is answered with 202': successAs(202, 'mentions'),
      'listing-is-203: a listing is answered with 203': successAs(203, 'mentions'),
      'listing-is-206: a listing is answered with 206': successAs(206, 'mentions'),
      'partial-listing-is-201: a listing with more behind it is answered with 201': partialAs(201),
      'partial-listing-is-206: a listing with more behind it is answered with 206': partialAs(206),
    },
    'mentions.error-statuses': {
      'far-cursor-is-422: a cursor beyond 2^63 is answered with 422': farCursorAs(422),
      'far-cursor-is-404: a cursor beyond 2^63 is answered with 404': farCursorAs(404),
      'far-cursor-is-500: a cursor beyond 2^63 is answered with 500': farCursorAs(500),
    },
    'mentions.feed-agrees-with-channel': {
      'listed-message-has-another-id': spoilItems('mentions', (mention) => {
        const message = objectOf(mention['message']);
        const id = otherUuid(String(message['id']));
        return { ...mention, id, message: { ...message, id } };
      }),
    },
  }),
  ...listedOtherwise.map(({ id, clause, what, value: change }) =>
    mutant(
      `listed-${id}`,
      clause,
      `of listed mentions ${what}`,
      spoilItems('mentions', (mention) => {
        const message = objectOf(mention['message']);
        return { ...mention, message: { ...message, ...change(message, mention) } };
      }),
    ),
  ),
];

function partialAs(status: number): Answering {
  return successAs(
    status,
    'mentions',
    (_, { body }) => objectOf(objectOf(body)['page'])['has_more'] === true,
  );
}

function farCursorAs(status: number): Answering {
  return refusalAs(status, ({ query }) => /^\d{19,}$/.test(query['after'] ?? ''), 'mentions');
}

/** A message from elsewhere before the first, where a page has room for it and the number before is none of its own. */
function withForeignFirst(items: readonly JsonObject[], { query }: AnsweredRequest): readonly JsonObject[] {
  const [first] = items;
  const before = first === undefined ? 0n : sequenceOf(first) - 1n;
  const hasRoom = items.length < Number(query['limit'] ?? 50) && before > BigInt(query['after'] ?? 0);
  if (first === undefined || !hasRoom) return items;
  const message = objectOf(first['message']);
  const foreign = {
    ...message,
    id: otherUuid(String(message['id'])),
    workspace_id: otherUuid(String(message['workspace_id'])),
    channel_id: otherUuid(String(message['channel_id'])),
    content: 'from elsewhere',
    size_bytes: 14,
  };
  return [{ id: foreign.id, sequence: Number(before), message: foreign }, ...items];
}
