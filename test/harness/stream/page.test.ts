import { describe, expect, it } from 'vitest';
import type { CallName } from '../../../spec/calls/index.ts';
import { readPage } from '../../../harness/stream/page.ts';
import { exchangeOf } from '../../fixtures/exchange.ts';
import { messageOf } from '../../fixtures/message.ts';

const files = [
  { id: 'f', workspace_id: 'w', filename: 'x', content_type: 'text/plain', size_bytes: 1, created_at: '' },
];
const message = (sequence: number) =>
  messageOf(
    sequence,
    { id: `message-${sequence}`, attachments: files },
    { human_user: { id: 'h', display_name: null } },
  );

const page = { next_after: 2, has_more: false, high_watermark: 2 };

function read(json: unknown, call: CallName = 'channel-read', itemsField?: string) {
  const { items } = readPage(exchangeOf({ call }, { json }), itemsField);
  return items.map(({ sequence, id, content }) => [sequence, id, content]);
}

const both = [
  [1n, 'message-1', 'text 1'],
  [2n, 'message-2', 'text 2'],
];

describe('the messages of a page are found', () => {
  const messages = [message(1), message(2)];
  const people = [{ id: 'p', display_name: 'P', sequence: 1 }];
  it.each([
    ['under their usual name', { messages, page }],
    ['under another name', { items: messages, page }],
    ['among other lists', { files, people, items: messages, page }],
    ['one object further in', { page, data: { kind: 'list', messages } }],
    ['wrapped one by one', { entries: messages.map((each) => ({ kind: 'message', message: each })), page }],
    ['wrapped under any name', { page, entries: messages.map((each) => ({ unread: true, value: each })) }],
    [
      'where most of their fields are missing',
      {
        rows: messages.map(({ id, sequence, content, size_bytes }) => ({
          id,
          sequence,
          content,
          size_bytes,
        })),
      },
    ],
  ])('%s', (_where, body) => {
    expect(read(body)).toEqual(both);
  });

  it('among as many others as an answer is read with', () => {
    const items = Array.from({ length: 400_000 }, () => ({}));
    expect(read({ items: [...items, message(2)], page })).toHaveLength(400_001);
  });

  it('by the name that the target gives, before any other', () => {
    expect(read({ messages: people, rows: messages }, 'channel-read', 'rows')).toEqual(both);
  });
});

it.each([
  ['on a page with none, beside a list of files', { messages: [], files: [message(1)] }],
  [
    'in files and people',
    {
      files: files,
      people: [{ id: 'p', display_name: 'P', sequence: 1, created_at: '' }],
      page,
    },
  ],
  ['in a list of ids', { messages: ['message-1'], page }],
  ['in what is no object', [message(1)]],
])('no message is found %s', (_where, body) => {
  expect(read(body)).toEqual([]);
});

it('a mention is numbered by itself, never by its message', () => {
  const mention = { id: 'message-1', sequence: 1001, message: message(1) };
  expect(read({ mentions: [mention], page }, 'mentions')).toEqual([[1001n, 'message-1', 'text 1']]);
  expect(read({ mentions: [{ ...mention, sequence: undefined }], page }, 'mentions')).toEqual([
    [undefined, 'message-1', 'text 1'],
  ]);
});
