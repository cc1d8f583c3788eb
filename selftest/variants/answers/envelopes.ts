import { type JsonObject, listOf, refusal, spoilBody, successAs } from '../../mutants/base/spoil-answer.ts';
import { alternatives, openBy, type Variant } from '../base/variant.ts';

const somebody = '6f0d3f6e-0000-4000-8000-000000000000';

/** What the undocumented answers may look like: everything but the page of a channel read is not shown. */
export const envelopeVariants: readonly Variant[] = [
  ...alternatives({
    ...openBy('channel-read.rest-of-the-body', {
      'a-channel-read-has-items': spoilBody('read', ({ messages, page }) => ({ items: messages, page })),
      'a-channel-read-has-items-after-other-lists': spoilBody('read', ({ messages, page }) => ({
        files: [
          { id: somebody, filename: 'a.txt', status: 'ready', size_bytes: 1, content_type: 'text/plain' },
        ],
        participants: [{ id: somebody, display_name: 'Somebody', sequence: 7 }],
        items: messages,
        page,
      })),
      'a-channel-read-has-them-in-data': spoilBody('read', ({ messages, page }) => ({
        page,
        data: { kind: 'list', messages },
      })),
      'a-channel-read-wraps-each': spoilBody('read', ({ messages, page }) => ({
        page,
        entries: (messages as JsonObject[]).map((message) => ({ kind: 'message', unread: false, message })),
      })),
      'a-channel-read-has-other-lists': spoilBody('read', ({ messages, page }) => ({
        participants: [{ id: somebody, display_name: 'Somebody', sequence: 7 }],
        pinned: [],
        messages,
        files: [{ filename: 'a.txt', status: 'ready' }],
        page,
      })),
      'a-channel-read-without-messages-has-no-list': spoilBody('read', ({ messages, ...rest }) =>
        listOf(messages).length === 0 ? rest : { ...rest, messages },
      ),
      'a-channel-read-has-them-by-id': spoilBody('read', ({ messages, page }) => ({
        page,
        order: (messages as JsonObject[]).map(({ id }) => id),
        messages: Object.fromEntries(
          (messages as JsonObject[]).map((message) => [String(message['id']), message]),
        ),
      })),
    }),
  }),
  ...alternatives({
    ...openBy('channels-list.shapes', {
      'channels-are-a-bare-list': spoilBody('channels', ({ channels }) => channels),
      'channels-come-in-pages': spoilBody('channels', ({ channels }) => ({
        data: (channels as unknown[]).slice(0, 1),
        cursor: 'next',
        has_more: true,
      })),
      'channels-are-listed-by-name': spoilBody('channels', ({ channels }) => ({
        names: (channels as JsonObject[]).map(({ slug }) => slug),
      })),
    }),
  }),
  ...alternatives({
    ...openBy('receipts-list.shapes', {
      'receipts-want-a-message': successAs(400, 'receipts', ({ query }) => query['message_id'] === undefined),
      'receipts-stand-under-their-messages': spoilBody('receipts', ({ receipts, page }) => ({
        receipts: byMessage(receipts as JsonObject[]),
        page,
      })),
      'receipts-are-listed-otherwise': spoilBody('receipts', ({ receipts, page }) => ({
        data: (receipts as JsonObject[]).map(({ message_id, agent_id }) => [message_id, { by: agent_id }]),
        paging: page,
      })),
    }),
  }),
  ...alternatives({
    'undocumented-calls-do-not-exist: service.other-operations; discovery.shapes': {
      // The call has been carried out by then, and nobody must see it.
      rules: { isPreviewed: () => false },
      answer: (_answer, { route }) =>
        ['health', 'capabilities', 'reportReceipts', 'upload', 'file', 'fileContent'].includes(route ?? '')
          ? refusal(404)
          : undefined,
    },
    'health-is-plain-text: discovery.shapes': {
      answer: (answer, { route }) =>
        route === 'health' || route === 'capabilities'
          ? { ...answer, headers: { 'content-type': 'text/plain' }, body: Buffer.from('ok\n') }
          : undefined,
    },
  }),
];

/** The agents of each message, under its id. */
function byMessage(receipts: readonly JsonObject[]): JsonObject {
  const messages = new Set(receipts.map(({ message_id: id }) => String(id)));
  const agentsOf = (message: string): readonly JsonObject[] =>
    receipts.filter(({ message_id: id }) => id === message).map(({ agent_id: id }) => ({ agent: { id } }));
  return Object.fromEntries([...messages].map((id) => [id, agentsOf(id)]));
}
