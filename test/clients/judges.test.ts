import { describe, expect, it } from 'vitest';
import { clientCatalogue } from '../../clients/catalogue.ts';
import { judgeClients } from '../../clients/judges/index.ts';
import { buildRead, buildReport, buildSend } from '../../history/build-operation.ts';
import { Intern } from '../../history/intern.ts';
import type { Operation, Read, Send } from '../../history/operation.ts';
import { clauseOf } from '../../spec/index.ts';

const facts = { runId: 'cf-0123456789abcdef', settleMs: 50, isDurable: false };
const intern = new Intern(facts);
const [feed, channel] = ['feed reader', 'channel c'];

interface When {
  readonly at: number;
  readonly status?: number;
  readonly retryAfter?: number;
}

function common({ at, status = 200, retryAfter }: When) {
  const outcome = status === 0 ? 'indeterminate' : status < 300 ? 'accepted' : 'refused';
  return {
    agent: 'reader',
    startedMs: at,
    endedMs: at + 5,
    outcome,
    status: status || undefined,
    retryAfter,
  } as const;
}

/** A page with these sequences; those of its messages in their channel begin at 1. */
function read(when: When, asked: Partial<Read>, sequences: readonly number[] = []): Read {
  const items = sequences.map((sequence, index) => ({
    sequence,
    id: `m${sequence}`,
    message: intern.message({ ...nothing, id: `m${sequence}`, sequence: index + 1 }),
    receipts: undefined,
  }));
  const nextAfter = sequences.at(-1) ?? asked.after ?? 0;
  return buildRead(common(when), {
    call: 'mentions',
    stream: feed,
    nextAfter,
    hasMore: false,
    items,
    ...asked,
  });
}

const nothing = {
  workspace: 'w',
  channel: 'c',
  author: undefined,
  content: undefined,
  contentType: undefined,
  sizeBytes: undefined,
  createdAt: undefined,
  targets: [],
  files: [],
};

function send(when: When, own: Partial<Send> & { readonly text?: string }): Send {
  const { text = 'a message', ...fields } = own;
  return buildSend(common(when), { channel: 'c', key: 'k', content: intern.text(text), ...fields });
}

function found(operations: readonly Operation[], isWhole = true): readonly string[] {
  const numbered = operations.map((operation, index) => ({ ...operation, index }));
  return judgeClients({ facts, operations: numbered }, { isWhole }).anomalies.map(({ name }) => name);
}

function times<T>(count: number, make: (index: number) => T): readonly T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

describe('the judges of clients', () => {
  it('name clauses of the register of clients, each anomaly its own', () => {
    const named = Object.values(clientCatalogue).flatMap(({ clauses }) => clauses);
    expect(named.map((clause) => clauseOf(clause).id)).toEqual(named);
    expect(new Set(named).size).toBe(named.length);
  });

  it('see a request that breaks a rule of its call, and not one that was refused for its credential', () => {
    expect(found([send({ at: 1 }, { refusedFor: 'send.content-bytes' })])).toEqual(['invalid-request']);
    expect(found([send({ at: 1 }, { refusedFor: 'auth.expired-credential' })])).toEqual([]);
  });

  it('see a cursor that is the sequence of an item, and take one that a page gave', () => {
    const page = read({ at: 0 }, { after: 0, nextAfter: 20 }, [11, 14]);
    expect(found([page, read({ at: 10 }, { after: 14 })])).toEqual(['cursor-of-an-item']);
    expect(found([page, read({ at: 10 }, { after: 20 })])).toEqual([]);
    expect(found([page, read({ at: 10 }, { after: 13 })])).toEqual([]);
  });

  it('take a cursor that may be older than what is known of live traffic', () => {
    const page = read({ at: 0 }, { after: 0, nextAfter: 20 }, [11, 14]);
    expect(found([page, read({ at: 10 }, { after: 14 })], false)).toEqual([]);
    const later = read({ at: 10 }, { after: 20, nextAfter: 40 }, [33]);
    expect(found([page, later, read({ at: 20 }, { after: 33 })], false)).toEqual(['cursor-of-an-item']);
  });

  it('see a number of a channel among the cursors of mentions', () => {
    const page = read({ at: 0 }, { after: 0, nextAfter: 1000 }, [1000]);
    expect(found([page, read({ at: 10 }, { after: 1 })])).toEqual(['cursor-of-another-stream']);
    const other = read({ at: 0 }, { call: 'channel-read', stream: channel, after: 0, nextAfter: 7 });
    expect(found([page, other, read({ at: 10 }, { after: 7 })])).toEqual(['cursor-of-another-stream']);
  });

  it('see that nobody asks for what a page announces, but for a page without a cursor', () => {
    const more = read({ at: 0 }, { after: 0, nextAfter: 5, hasMore: true }, [5]);
    const polls = times(8, (index) => read({ at: 10 * index + 10 }, { after: 0 }, [5]));
    expect(found([more, ...polls])).toEqual(['more-left']);
    expect(found([more, ...polls.slice(1)])).toEqual([]);
    expect(found([more, ...polls, read({ at: 200 }, { after: 5 })])).toEqual([]);
    expect(found([{ ...more, after: undefined }, ...polls])).toEqual([]);
  });

  it('see what is asked again and again within its limit, and let go what other processes may have asked', () => {
    const limited = times(4, (index) => read({ at: 100 * index, status: 429, retryAfter: 2 }, { after: 0 }));
    expect(found(limited)).toEqual(['limit-ignored']);
    expect(found(limited.slice(1))).toEqual([]);
    const late = read({ at: 2100, status: 429, retryAfter: 2 }, { after: 0 });
    expect(found([...limited.slice(1), late])).toEqual([]);
  });

  it('see one key for two messages, and none where a message is sent again under it', () => {
    expect(found([send({ at: 0 }, {}), send({ at: 10 }, { text: 'another' })])).toEqual(['key-reused']);
    expect(found([send({ at: 0 }, {}), send({ at: 10 }, {})])).toEqual([]);
    expect(found([send({ at: 0 }, {}), send({ at: 10 }, { text: 'another', channel: 'd' })])).toEqual([]);
  });

  it('see a fresh key after a lost answer, and let go who looked, or says the same now and then', () => {
    const lost = send({ at: 0, status: 0 }, { key: 'one' });
    const again = send({ at: 100 }, { key: 'two' });
    expect(found([lost, again])).toEqual(['fresh-key']);
    expect(found([lost, { ...again, key: 'one' }])).toEqual([]);
    const look = read({ at: 50 }, { call: 'channel-read', stream: channel, after: 0 });
    expect(found([lost, look, again])).toEqual([]);
    expect(found([lost, again, send({ at: 200 }, { key: 'three' })])).toEqual([]);
    expect(found([lost, send({ at: 90_000 }, { key: 'two' })])).toEqual([]);
  });

  it('see a loop without a pause, and take polls that wait or pause, or find something', () => {
    const polls = (stepMs: number, asked: Partial<Read> = {}, sequences: readonly number[] = []) =>
      times(120, (index) => read({ at: stepMs * index }, { after: 0, ...asked }, sequences));
    expect(found(polls(30))).toEqual(['read-loop']);
    expect(found(polls(31))).toEqual([]);
    expect(found(polls(9), false)).toEqual(['read-loop']);
    expect(found(polls(10), false)).toEqual([]);
    expect(found(polls(6, { wait: 1 }))).toEqual([]);
    expect(found(polls(6, {}, [5]))).toEqual([]);
    expect(found(polls(6).slice(0, 99))).toEqual([]);
  });

  it('see a report of what no answer had shown, where all that was read is known', () => {
    const report = buildReport(common({ at: 50 }), { channel: 'c', messages: ['m5'] });
    expect(found([report])).toEqual(['unseen-receipt']);
    expect(found([read({ at: 0 }, { after: 0 }, [5]), report])).toEqual([]);
    expect(found([report], false)).toEqual([]);
  });
});
