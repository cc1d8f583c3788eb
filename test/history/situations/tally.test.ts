import { describe, expect, it } from 'vitest';
import { type ClauseId, clauseOf } from '../../../spec/index.ts';
import type { History, Operation, Read, Send } from '../../../history/operation.ts';
import type { SeenMessage } from '../../../history/seen-message.ts';
import { declarations } from '../../../history/situations/declared.ts';
import { declaredPairs, tallyOf, unreachedIn } from '../../../history/situations/tally.ts';

const facts = { runId: 'run', settleMs: 100, isDurable: false };
const content = { digest: 'text-0', bytes: 40, form: 'astral', marker: 'run-1.' } as const;

const send: Send = {
  kind: 'send',
  index: 0,
  client: 'one',
  agent: 'author',
  startedMs: 0,
  endedMs: 1,
  outcome: 'accepted',
  status: 201,
  channel: 'c',
  key: 'k',
  content,
  contentType: 'text/markdown',
  targets: ['agent:r'],
  files: [],
  session: undefined,
  host: 'h',
  expected: 'open',
  stores: 'all',
  shown: undefined,
};

const message: SeenMessage = {
  id: 'm',
  workspace: 'w',
  channel: 'c',
  sequence: 1,
  author: undefined,
  content,
  contentType: 'text/markdown',
  sizeBytes: 40,
  createdAt: undefined,
  targets: ['agent:r'],
  files: [],
};

const read: Read = {
  kind: 'read',
  index: 1,
  client: 'one',
  agent: 'reader',
  startedMs: 2,
  endedMs: 3,
  outcome: 'accepted',
  status: 200,
  call: 'channel-read',
  stream: 'channel c',
  after: 0,
  limit: 99,
  wait: undefined,
  expected: 'open',
  isBaseline: true,
  items: [{ sequence: 1, id: 'm', message, receipts: undefined }],
  nextAfter: 1,
  hasMore: false,
  highWatermark: 1,
  agentId: undefined,
};

const feed: Read = {
  ...read,
  index: 2,
  call: 'mentions',
  stream: 'feed reader',
  agentId: 'r',
  wait: undefined,
};

function seenOf(
  clause: ClauseId,
  ...operations: readonly Operation[]
): { seen: number; missing: readonly string[] } {
  const history: History = { facts, operations };
  const row = tallyOf(history).find((each) => each.clause === clause);
  return { seen: row?.seen ?? 0, missing: row?.missing ?? [] };
}

describe('the declarations', () => {
  it('speak of clauses that a run judges', () => {
    const silent = Object.keys(declarations).filter(
      (clause) => clauseOf(clause as ClauseId).level === 'silent',
    );
    expect(silent).toEqual([]);
  });

  it('have pairs of values each', () => {
    expect(declaredPairs().filter(({ pairs }) => pairs === 0)).toEqual([]);
  });
});

describe('the tally', () => {
  it('counts nothing in a history without reads', () => {
    expect(seenOf('channel-read.ascending', send).seen).toBe(0);
  });

  it('counts each pair of values of a page once', () => {
    // reader, stream, cursor, limit and wait: ten pairs.
    expect(seenOf('channel-read.ascending', send, read, { ...read, index: 2 }).seen).toBe(10);
  });

  it('counts no page of the other call', () => {
    expect(seenOf('mentions.ascending', send, read).seen).toBe(0);
    expect(seenOf('mentions.ascending', send, read, feed).seen).toBe(3);
  });

  it('counts no read that was refused', () => {
    expect(seenOf('channel-read.ascending', send, { ...read, outcome: 'refused' }).seen).toBe(0);
  });

  it('counts the kinds of a message that a page shows', () => {
    const { missing } = seenOf('message.content.unaltered', send, read);
    expect(missing).not.toContain('text astral, type text/markdown');
    expect(missing).toContain('text bmp, type text/markdown');
  });

  it('counts no message that the run has not sent', () => {
    expect(seenOf('message.content.unaltered', read).seen).toBe(0);
  });
});

describe('a clause is not reached', () => {
  const unreached = (clauses: readonly ClauseId[], ...operations: readonly Operation[]) => [
    ...unreachedIn({ facts, operations }, clauses),
  ];

  it('by a history that holds none of the situations that it declares', () => {
    const clauses = ['channel-read.ascending', 'mentions.ascending'] as const;
    expect(unreached(clauses)).toEqual(clauses);
    expect(unreached(clauses, send, read)).toEqual(['mentions.ascending']);
    expect(unreached(clauses, send, read, feed)).toEqual([]);
  });

  it('by a target that another clause speaks of', () => {
    const clauses = ['mentions.broadcasts-excluded', 'mentions.matches-agent-target'] as const;
    expect(unreached(clauses, send, feed)).toEqual(['mentions.broadcasts-excluded']);
    const broadcast = { ...send, content: { ...content, marker: 'run-2.' }, targets: [] };
    expect(unreached(clauses, send, broadcast, feed)).toEqual([]);
  });

  it('only if it declares any', () => {
    expect(unreached(['mentions.empty-page'], send, read)).toEqual([]);
  });

  it('exactly where the tally counts none of its pairs', () => {
    const operations = [send, read, feed];
    const none = tallyOf({ facts, operations }).filter(({ seen }) => seen === 0);
    const all = Object.keys(declarations) as ClauseId[];
    expect(unreached(all, ...operations).toSorted()).toEqual(none.map(({ clause }) => clause).toSorted());
  });
});
