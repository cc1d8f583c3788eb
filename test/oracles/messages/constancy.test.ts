import { describe, expect, it } from 'vitest';
import { judgeAuthorConstant, judgeMessageConstant } from '../../../oracles/messages/constancy.ts';

const author = {
  id: 'a',
  display_name: 'Ada',
  human_user: { id: 'h', display_name: null },
  machine: null,
};
const message = {
  id: 'm',
  workspace_id: 'w',
  channel_id: 'c',
  sequence: 4,
  author,
  content_type: 'text/plain',
  content: 'text',
  size_bytes: 4,
  created_at: '2026-01-02T03:04:05Z',
  mentions: [
    { kind: 'agent', id: 'r' },
    { kind: 'user', id: 'h' },
  ],
  attachments: [{ id: 'f', status: 'ready' }],
};

const upperCased = {
  ...message,
  id: 'M',
  workspace_id: 'W',
  channel_id: 'C',
  mentions: [
    { kind: 'agent', id: 'R' },
    { kind: 'user', id: 'H' },
  ],
  attachments: [{ id: 'F', status: 'ready' }],
};

describe('a message read again', () => {
  it.each([
    ['the same', message],
    ['its receipts grown', { ...message, receipts: { retrieved: { agent_ids: ['r'] } } }],
    ['its file deleted', { ...message, attachments: [{ id: 'f', status: 'deleted' }] }],
    ['its time spelled otherwise', { ...message, created_at: '2026-01-02T04:04:05.000+01:00' }],
    ['its time more precisely', { ...message, created_at: '2026-01-02T03:04:05.001Z' }],
    ['its time in lower case', { ...message, created_at: '2026-01-02t03:04:05.000z' }],
    ['its time with a space', { ...message, created_at: '2026-01-02 03:04:05Z' }],
    ['its ids in the other letter case', upperCased],
    ['its targets in another order', { ...message, mentions: message.mentions.toReversed() }],
    ['at another place, which is another rule', { ...message, sequence: 5 }],
    ['by another author, which is another rule', { ...message, author: { ...author, id: 'b' } }],
    ['its size as an exact integer', { ...message, size_bytes: 4n }],
    ['a target that is none', { ...message, mentions: [null, ...message.mentions] }],
  ])('passes with %s', (_name, later) => {
    expect(judgeMessageConstant(message, later)).toEqual({ judged: 9, problems: [] });
  });

  it.each([
    ['id', { ...message, id: 'n' }],
    ['workspace_id', { ...message, workspace_id: 'v' }],
    ['channel_id', { ...message, channel_id: 'd' }],
    ['content_type', { ...message, content_type: 'text/html' }],
    ['content', { ...message, content: 'text.' }],
    ['content', { ...message, content: 'TEXT' }],
    ['size_bytes', { ...message, size_bytes: 5 }],
    ['size_bytes', { ...message, size_bytes: '4' }],
    ['id', { ...message, id: 7 }],
    ['created_at', { ...message, created_at: 7 }],
    ['created_at', { ...message, created_at: '2026-01-02T03:04:06.001Z' }],
    ['mentions', { ...message, mentions: message.mentions.slice(1) }],
    ['mentions', { ...message, mentions: undefined }],
    ['attachments', { ...message, attachments: [] }],
    ['attachments', { ...message, attachments: [{ id: 'g', status: 'ready' }] }],
  ])('is told apart by its %s', (field, later) => {
    const { problems } = judgeMessageConstant(message, later);
    expect(problems).toHaveLength(1);
    expect(problems[0]?.expected).toContain(`${field} as read before`);
  });

  it('may show no list, an empty one or null for the same nothing', () => {
    const bare = { ...message, mentions: undefined, attachments: [] };
    expect(judgeMessageConstant(bare, { ...bare, mentions: [], attachments: null }).problems).toEqual([]);
  });
});

describe('an author read again', () => {
  it.each([
    ['the same', author],
    ['an absent host spelled as null', { ...author, agent_host: null }],
    ['its ids in the other letter case', { ...author, id: 'A', human_user: { id: 'H', display_name: null } }],
    ['its fields in another order', Object.fromEntries(Object.entries(author).toReversed())],
  ])('passes with %s', (_name, later) => {
    expect(judgeAuthorConstant(message, { author: later }).problems).toEqual([]);
  });

  it.each([
    ['id', { ...author, id: 'b' }],
    ['display_name', { ...author, display_name: 'Ann' }],
    ['human_user', { ...author, human_user: { id: 'h', display_name: 'Hal' } }],
    ['human_user', { ...author, human_user: null }],
    ['machine', { ...author, machine: { id: 'x', display_name: 'box' } }],
    ['agent_host', { ...author, agent_host: 'a host' }],
  ])('is told apart by its %s', (field, later) => {
    const { problems } = judgeAuthorConstant(message, { author: later });
    expect(problems).toHaveLength(1);
    expect(problems[0]?.expected).toContain(`${field} as read before`);
  });

  it.each([
    [{ id: 'x', name: 'box' }, { name: 'box', id: 'x' }, 0],
    [{ b: 1, a: 2, c: 3 }, { c: 3, a: 2, b: 1 }, 0],
    [{ id: 'x' }, { id: 'x', name: null }, 0],
    [{ id: 'x' }, { id: 'x', name: undefined }, 0],
    [[{ a: 1, b: 2 }], [{ b: 2, a: 1 }], 0],
    [[1, 23], [12, 3], 1],
    [{ a: 1 }, { a: 2 }, 1],
  ])('holds %o against %o by value: %s problems', (before, after, problems) => {
    const judgement = judgeAuthorConstant({ author: { machine: before } }, { author: { machine: after } });
    expect(judgement.problems).toHaveLength(problems);
  });

  it('is told apart by the letter case of a session', () => {
    const inSession = (session_id: string) => ({ author: { ...author, source_session: { session_id } } });
    expect(judgeAuthorConstant(inSession('a'), inSession('a')).problems).toEqual([]);
    expect(judgeAuthorConstant(inSession('a'), inSession('A')).problems).toHaveLength(1);
  });

  it('decides nothing when there was none before, and is missed when it is gone', () => {
    expect(judgeAuthorConstant({}, message)).toEqual({ judged: 0, problems: [] });
    expect(judgeAuthorConstant(message, {}).problems).not.toEqual([]);
  });
});

describe('a field that is named like one that every object inherits', () => {
  it.each(['valueOf', '__proto__'])('is a field like others: %s', (name) => {
    const author: unknown = JSON.parse(`{ "${name}": {} }`);
    expect(judgeAuthorConstant({ author: {} }, { author }).problems).toEqual([
      { expected: `${name} as read before, null`, actual: '{}' },
    ]);
    expect(judgeAuthorConstant({ author }, { author })).toEqual({ judged: 1, problems: [] });
  });
});

describe('what is said of a part that is another', () => {
  it.each([
    ['ids in lower case', { id: 'A' }, { id: 'B' }, '"a"', '"b"'],
    ['targets', { mentions: [{ kind: 'user', id: 'A' }] }, {}, '["user a"]', '[]'],
    ['files', { attachments: [{ id: 'A' }, { id: 'B' }] }, {}, '["a","b"]', '[]'],
    ['nothing', {}, { content: null }, undefined, undefined],
    ['members by name', { content: { b: 1, a: null, c: 'x' } }, {}, '{"b":1,"c":"x"}', 'null'],
  ])('shows %s', (_what, first, later, before, after) => {
    const { problems } = judgeMessageConstant(first, later);
    expect(problems.map(({ expected }) => expected.split(', ')[1])).toEqual(
      before === undefined ? [] : [before],
    );
    expect(problems.map(({ actual }) => actual)).toEqual(after === undefined ? [] : [after]);
  });

  it('repeats up to 80 characters of it', () => {
    const content = 'a'.repeat(78);
    expect(judgeMessageConstant({ content }, { content: 'b' }).problems).toEqual([
      { expected: `content as read before, "${content}"`, actual: '"b"' },
    ]);
  });

  it('shows of a longer one what is around the place where it is another', () => {
    const [content, other] = [`${'a'.repeat(500)}b`, `${'a'.repeat(500)}c`];
    const [problem] = judgeMessageConstant({ content }, { content: other }).problems;
    expect(problem?.expected).toMatch(/^content as read before: U\+0062 at UTF-16 position 501 .*⟦b⟧/);
    expect(problem?.actual).toMatch(/^U\+0063 there.*⟦c⟧/);
    expect(`${problem?.expected}${problem?.actual}`.length).toBeLessThan(250);
  });
});
