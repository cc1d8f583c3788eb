import { randomUUID } from 'node:crypto';
import type { Answer, AnsweredRequest, AnswerHook } from '../../reference/model/answer.ts';
import { breaking, mutant, rowsOf, what, type Mutant } from './base/mutant.ts';
import {
  itemsOf,
  objectOf,
  otherUuid,
  refusal,
  sequenceOf,
  spoilItems,
  spoilList,
  spoilRefusals,
  spoilSuccess,
  without,
  type JsonObject,
} from './base/spoil-answer.ts';

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
      'listing-holds-a-foreign-message': { answer: spoilList('mentions', withForeignFirst) },
    },
    'mentions.empty-page': {
      'empty-listing-is-204': { answer: whenEmpty({ status: 204, headers: {} }) },
      'empty-listing-is-404': { answer: whenEmpty(refusal(404)) },
      'empty-listing-is-400': { answer: whenEmpty(refusal(400)) },
    },
    'mentions.agent-id-header.is-the-caller': {
      'agent-id-is-of-the-human': { agentIdHeader: (agent) => agent.humanUserId ?? agent.id },
      'agent-id-is-of-the-machine': { agentIdHeader: (agent) => agent.machineId ?? agent.id },
      'agent-id-is-of-the-workspace': { agentIdHeader: (agent) => agent.workspaceId },
    },
    'mentions.agent-id-header.present': {
      'no-agent-id': what('no listing has the agent id header', { agentIdHeader: () => null }),
      'no-agent-id-on-empty-listings': what('an empty listing has no agent id header', {
        answer: spoilSuccess('mentions', (answer) =>
          itemsOf(objectOf(answer.body), 'mentions').length === 0 ? { ...answer, headers: {} } : answer,
        ),
      }),
    },
    'mentions.agent-id-header.type': {
      'agent-id-is-a-name': { agentIdHeader: (agent) => agent.displayName },
      'agent-id-has-no-hyphens': { agentIdHeader: (agent) => agent.id.replaceAll('-', '') },
      'agent-id-is-empty': what('the agent id header is empty', { agentIdHeader: () => '' }),
    },
    'mention.id.is-the-message-id': {
      'mention-has-an-id-of-its-own': what('a mention has another id than its message', {
        presentMention: (mention) => ({ ...mention, id: otherUuid(mention.id) }),
      }),
      'mention-has-the-id-of-the-author': what('a mention has the id of the author of its message', {
        presentMention: (mention) => ({ ...mention, id: mention.message.author.id }),
      }),
      'mention-has-the-id-of-the-channel': what('a mention has the id of its channel', {
        presentMention: (mention) => ({ ...mention, id: mention.message.channel_id }),
      }),
    },
    'errors.unsupported-parameter-is-400': {
      'unsupported-parameter-is-422': what('an unsupported parameter is answered with 422', {
        answer: spoilRefusals(
          (answer, { query }) =>
            Object.keys(query).some((name) => name !== 'after' && name !== 'limit') && answer.status === 400
              ? { ...answer, status: 422 }
              : answer,
          ['mentions'],
        ),
      }),
    },
  }),
  ...[201, 202, 203, 206].map((status) =>
    mutant(`listing-is-${status}`, 'mentions.status-is-200', `a listing is answered with ${status}`, {
      answer: spoilSuccess('mentions', (answer) => ({ ...answer, status })),
    }),
  ),
  ...[201, 206].map((status) =>
    mutant(
      `partial-listing-is-${status}`,
      'mentions.status-is-200',
      `a listing with more behind it is answered with ${status}`,
      {
        answer: spoilSuccess('mentions', (answer) =>
          objectOf(objectOf(answer.body)['page'])['has_more'] === true ? { ...answer, status } : answer,
        ),
      },
    ),
  ),
  ...breaking({
    'mentions.agent-id-header.is-the-caller': {
      'agent-id-is-constant': { agentIdHeader: () => '00000000-0000-4000-8000-000000000000' },
      'agent-id-is-random': { agentIdHeader: () => randomUUID() },
      'agent-id-is-of-the-first': () => ({ agentIdHeader: firstOnly((agent) => agent.id) }),
    },
  }),
  ...listedOtherwise.map(({ id, clause, value: change }) =>
    mutant(`listed-${id}`, clause, `of listed mentions ${id.replaceAll('-', ' ')}`, {
      answer: spoilItems('mentions', (mention) => {
        const message = objectOf(mention['message']);
        return { ...mention, message: { ...message, ...change(message, mention) } };
      }),
    }),
  ),
  ...breaking({
    'mentions.feed-agrees-with-channel': {
      'listed-message-has-another-id': {
        answer: spoilItems('mentions', (mention) => {
          const message = objectOf(mention['message']);
          const id = otherUuid(String(message['id']));
          return { ...mention, id, message: { ...message, id } };
        }),
      },
    },
  }),
  ...([422, 404, 500] as const).map((status) =>
    mutant(
      `far-cursor-is-${status}`,
      'mentions.error-statuses',
      `a cursor beyond 2^63 is answered with ${status}`,
      {
        answer: spoilRefusals(
          (answer, { query }) => (/^\d{19,}$/.test(query['after'] ?? '') ? { ...answer, status } : answer),
          ['mentions'],
        ),
      },
    ),
  ),
];

function whenEmpty(answer: Answer): AnswerHook {
  return spoilSuccess('mentions', (given) =>
    itemsOf(objectOf(given.body), 'mentions').length === 0 ? answer : given,
  );
}

function firstOnly<Part>(idOf: (part: Part) => string): (part: Part) => string {
  let first: string | undefined;
  return (part) => (first ??= idOf(part));
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
