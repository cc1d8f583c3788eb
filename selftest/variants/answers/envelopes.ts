import { isFields, onSuccess, type Fields } from './answers.ts';
import { alternatives, type Overlay, type Variant } from '../base/variant.ts';

const somebody = '6f0d3f6e-0000-4000-8000-000000000000';

/** What the undocumented answers may look like: everything but the page of a channel read is not shown. */
export const envelopeVariants: readonly Variant[] = [
  ...alternatives({
    'channel-read.rest-of-the-body': {
      'a-channel-read-has-items': () => readingBodies(({ messages, page }) => ({ items: messages, page })),
      'a-channel-read-has-items-after-other-lists': () =>
        readingBodies(({ messages, page }) => ({
          files: [
            { id: somebody, filename: 'a.txt', status: 'ready', size_bytes: 1, content_type: 'text/plain' },
          ],
          participants: [{ id: somebody, display_name: 'Somebody', sequence: 7 }],
          items: messages,
          page,
        })),
      'a-channel-read-has-them-in-data': () =>
        readingBodies(({ messages, page }) => ({ page, data: { kind: 'list', messages } })),
      'a-channel-read-wraps-each': () =>
        readingBodies(({ messages, page }) => ({
          page,
          entries: (messages as Fields[]).map((message) => ({ kind: 'message', unread: false, message })),
        })),
      'a-channel-read-has-other-lists': () =>
        readingBodies(({ messages, page }) => ({
          participants: [{ id: somebody, display_name: 'Somebody', sequence: 7 }],
          pinned: [],
          messages,
          files: [{ filename: 'a.txt', status: 'ready' }],
          page,
        })),
      'a-channel-read-has-them-by-id': () =>
        readingBodies(({ messages, page }) => ({
          page,
          order: (messages as Fields[]).map(({ id }) => id),
          messages: Object.fromEntries(
            (messages as Fields[]).map((message) => [String(message['id']), message]),
          ),
        })),
    },
  }),
  ...alternatives({
    'channels-list.shapes': {
      'channels-are-a-bare-list': () => ({
        answer: onSuccess('channels', (body) => (isFields(body) ? body['channels'] : body)),
      }),
      'channels-come-in-pages': () => ({
        answer: onSuccess('channels', (body) =>
          isFields(body)
            ? { data: (body['channels'] as unknown[]).slice(0, 1), cursor: 'next', has_more: true }
            : body,
        ),
      }),
      'channels-are-listed-by-name': () => ({
        answer: onSuccess('channels', (body) =>
          isFields(body) ? { names: (body['channels'] as Fields[]).map(({ slug }) => slug) } : body,
        ),
      }),
    },
  }),
  ...alternatives({
    'receipts-list.shapes': {
      'receipts-want-a-message': {
        answer: (answer, { route, query }) =>
          route === 'receipts' && query['message_id'] === undefined && answer.status < 300
            ? refusalBody(400, 'message_id is needed')
            : undefined,
      },
      'receipts-stand-under-their-messages': () => ({
        answer: onSuccess('receipts', (body) =>
          isFields(body) ? { receipts: byMessage(body['receipts'] as Fields[]), page: body['page'] } : body,
        ),
      }),
      'receipts-are-listed-otherwise': () => ({
        answer: onSuccess('receipts', (body) =>
          isFields(body)
            ? {
                data: (body['receipts'] as Fields[]).map(({ message_id, agent_id }) => [
                  message_id,
                  { by: agent_id },
                ]),
                paging: body['page'],
              }
            : body,
        ),
      }),
    },
  }),
  ...alternatives({
    'service.other-operations; discovery.shapes': {
      'undocumented-calls-do-not-exist': {
        // The call has been carried out by then, and nobody must see it.
        rules: { isPreviewed: () => false },
        answer: (_answer, { route }) =>
          ['health', 'capabilities', 'reportReceipts', 'upload', 'file', 'fileContent'].includes(route ?? '')
            ? refusalBody(404, 'there is nothing here')
            : undefined,
      },
    },
    'discovery.shapes': {
      'health-is-plain-text': {
        answer: (answer, { route }) =>
          route === 'health' || route === 'capabilities'
            ? { ...answer, headers: { 'content-type': 'text/plain' }, body: Buffer.from('ok\n') }
            : undefined,
      },
    },
  }),
];

function refusalBody(status: number, message: string) {
  return { status, headers: {}, body: { error: { code: 'refused', message } } };
}

function readingBodies(change: (body: Fields) => Fields): Overlay {
  return { answer: onSuccess('read', (body) => (isFields(body) ? change(body) : body)) };
}

/** The agents of each message, under its id. */
function byMessage(receipts: readonly Fields[]): Fields {
  const messages = new Set(receipts.map(({ message_id: id }) => String(id)));
  const agentsOf = (message: string): readonly Fields[] =>
    receipts.filter(({ message_id: id }) => id === message).map(({ agent_id: id }) => ({ agent: { id } }));
  return Object.fromEntries([...messages].map((id) => [id, agentsOf(id)]));
}
