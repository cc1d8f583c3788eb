import { describe, expect, it } from 'vitest';
import type { Rules } from '../../../reference/index.ts';
import { messageChecks as everyMessageChecks } from '../../../suites/message/index.ts';
import { runBroken } from '../send/broken.ts';
import { withoutOperator } from '../operator-checks.ts';

const messageChecks = withoutOperator(everyMessageChecks);

type Outgoing = ReturnType<Rules['presentMessage']>;

/** Shows every message with something about it that no schema allows. */
const spoil =
  (change: (message: Outgoing) => object): (() => Partial<Rules>) =>
  () => ({ presentMessage: (message) => change(message) as Outgoing });

const without = ['id', 'workspace_id', 'channel_id', 'sequence', 'author', 'content_type', 'size_bytes'].map(
  (field) => [`without ${field}`, spoil((message) => ({ ...message, [field]: undefined }))] as const,
);
const ofAnotherType = [
  'id',
  'workspace_id',
  'channel_id',
  'sequence',
  'author',
  'mentions',
  'attachments',
].map(
  (field) => [`with a word for ${field}`, spoil((message) => ({ ...message, [field]: 'word' }))] as const,
);

const malformed = [
  ...without,
  ...ofAnotherType,
  ['with a number for content_type', spoil((message) => ({ ...message, content_type: 7 }))],
  ['with a fraction for size_bytes', spoil((message) => ({ ...message, size_bytes: 1.5 }))],
  ['by an author with a word for its id', spoil((message) => ({ ...message, author: { id: 'word' } }))],
  ['by an author without an id', spoil((message) => ({ ...message, author: { display_name: 'word' } }))],
  [
    'with targets without a kind',
    spoil((message) => ({ ...message, mentions: message.mentions?.map(({ id }) => ({ id })) })),
  ],
  [
    'with targets of another kind',
    spoil((message) => ({ ...message, mentions: message.mentions?.map(({ id }) => ({ id, kind: 'team' })) })),
  ],
  [
    'with files without an id',
    spoil((message) => ({ ...message, attachments: message.attachments?.map(() => ({})) })),
  ],
] as const;

describe('a malformed message', () => {
  it.each(malformed)('is for the wire alone to find: %s', async (_name, rules) => {
    const { findings } = await runBroken(messageChecks, { rules });
    const others = findings.filter(({ check }) => !check.startsWith('wire.'));
    expect(findings).not.toEqual([]);
    expect(others.map(({ clause }) => clause)).toEqual([]);
  });
});
