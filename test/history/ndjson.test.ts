import { describe, expect, it } from 'vitest';
import { Intern } from '../../history/intern.ts';
import type { History, Operation } from '../../history/operation.ts';
import { linesOf, readBack } from './fixtures.ts';

const facts = { runId: 'cf-0123456789abcdef', settleMs: 50, isDurable: false };
const beyond = 2n ** 53n + 1n;

function someHistory(): History {
  const intern = new Intern(facts);
  const content = intern.text('cf-0123456789abcdef-1. one');
  const message = intern.message({
    id: 'm1',
    workspace: 'w',
    channel: 'c',
    sequence: beyond,
    author: {
      id: 'a',
      displayName: 'A',
      host: undefined,
      human: null,
      machine: undefined,
      session: undefined,
    },
    content,
    contentType: 'text/plain',
    sizeBytes: 26,
    createdAt: '2030-01-01T00:00:00Z',
    targets: ['agent:b'],
    files: [],
    leftOut: 'files',
  });
  const item = intern.item({
    sequence: beyond,
    id: 'm1',
    message,
    receipts: { agents: ['b'], hasMore: true },
  });
  const common = { client: 'check', agent: 'author', outcome: 'accepted', status: 200 } as const;
  const operations: Operation[] = [
    {
      ...common,
      index: 0,
      kind: 'send',
      startedMs: 1,
      endedMs: 2,
      channel: 'c',
      key: 'k',
      content,
      contentType: undefined,
      targets: ['agent:b'],
      files: [],
      session: undefined,
      host: undefined,
      expected: 'open',
      stores: 'all',
      shown: message,
    },
    ...[3, 5].map((startedMs, at): Operation => ({
      ...common,
      index: at + 1,
      kind: 'read',
      startedMs,
      endedMs: startedMs + 1,
      call: 'channel-read',
      stream: 'channel c',
      after: beyond - 1n,
      limit: 100,
      wait: undefined,
      query: 'limit=0',
      expected: 'open',
      isBaseline: true,
      items: [item],
      nextAfter: beyond,
      hasMore: false,
      highWatermark: beyond,
      agentId: undefined,
    })),
  ];
  return { facts, operations };
}

const header = '{"history":1,"runId":"x","settleMs":1}';
const aChange = '"kind":"change","change":"restart","startedMs":1,"endedMs":2,"outcome":"accepted"}';

/** A history of one send, with this field besides or in place of its own. */
function sendWith(field: string): string {
  return `${header}\n{"kind":"send","startedMs":1,"endedMs":2,"outcome":"accepted",${field}}`;
}

describe('a history in lines', () => {
  it('is read back as it was, integers beyond 2^53 too', () => {
    const history = someHistory();
    expect(readBack(linesOf(history))).toEqual(history);
  });

  it('is read back as a chapter of traffic, with what was carried on', () => {
    const carried = { operations: 3, older: 1 };
    const history = { ...someHistory(), facts: { ...facts, isPartial: true, carried } };
    expect(readBack(linesOf(history))).toEqual(history);
  });

  it('is read back with a cursor of as many digits as a request has', () => {
    const { facts, operations } = someHistory();
    const after = BigInt('1'.repeat(5_000));
    const history = {
      facts,
      operations: operations.map((each) => (each.kind === 'read' ? { ...each, after } : each)),
    };
    expect(readBack(linesOf(history))).toEqual(history);
  });

  it('writes and reads an item once, however many pages show it', () => {
    const text = linesOf(someHistory());
    expect(text.split('\n').filter((line) => line.startsWith('{"item"'))).toHaveLength(1);
    const [, first, second] = readBack(text).operations;
    expect(first?.kind === 'read' && second?.kind === 'read' && first.items[0] === second.items[0]).toBe(
      true,
    );
  });

  it.each([
    ['nothing', '', 'line 1: it is empty'],
    ['no JSON', 'hello', 'line 1: not a JSON object'],
    ['another file', '{"type":"header"}', 'line 1: not a history of version 1'],
    [
      'a history of a later version',
      '{"history":2,"runId":"x","settleMs":1}',
      'line 1: a history of version 2, and this program reads version 1',
    ],
    ['two histories', `${header}\n${header}`, 'line 2: a second header'],
    ['an array', `${header}\n[1]`, 'line 2: not a JSON object'],
    [
      'an operation of a kind that there is not',
      `${header}\n{"kind":"wish","startedMs":1,"endedMs":2}`,
      'line 2: `outcome`',
    ],
    ['a field of another type', sendWith('"channel":5'), 'line 2: `channel` is not a string'],
    ['a content that is no object', sendWith('"content":"x"'), 'line 2: `content` is not an object'],
    ['a list of another type', sendWith('"targets":[null]'), 'line 2: `targets` is not a list of strings'],
    ['a time that is no number', sendWith('"startedMs":"now"'), 'line 2: `startedMs` is not a number'],
    [
      'a line that was taken out',
      [header, ...[0, 2].map((index) => `{"index":${index},${aChange}`)].join('\n'),
      'line 3: it is not whole: up to here 1 operation',
    ],
    ['a line that is none of its own', `${header}\n{"a":1}`, 'line 2: neither'],
    [
      'an item that is not there',
      `${header}\n{"kind":"read","call":"mentions","startedMs":1,"endedMs":2,"outcome":"accepted","items":[4]}`,
      'line 2: it refers to item 4',
    ],
  ])('is refused where it holds %s, by line', (_what, text, message) => {
    expect(() => readBack(text)).toThrow(message);
  });

  it('may lack lines where it is the recording of a part', () => {
    const partial = header.replace('}', ',"isPartial":true}');
    expect(readBack(`${partial}\n{"index":2,${aChange}`).operations).toHaveLength(1);
  });
});
