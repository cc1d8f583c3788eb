import { describe, expect, it } from 'vitest';
import { clientCatalogue } from '../../../history/clients/catalogue.ts';
import { judgeClients } from '../../../history/clients/judges/index.ts';
import { buildRead, buildReport, buildSend } from '../../../history/build-operation.ts';
import { Intern } from '../../../history/intern.ts';
import type { Operation, Read, Send } from '../../../history/operation.ts';
import { clauseOf, type ClauseId } from '../../../spec/index.ts';

const facts = { runId: 'cf-0123456789abcdef', settleMs: 50, isDurable: false };
const intern = new Intern(facts);
const [feed, channel] = ['feed reader', 'channel c'];

interface When {
  readonly at: number;
  readonly status?: number;
  readonly retryAfter?: number | undefined;
}

function common({ at, status = 200, retryAfter }: When) {
  const outcome = status === 0 || status >= 500 ? 'indeterminate' : status < 300 ? 'accepted' : 'refused';
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

  it('count what a request puts to the test, but not what it may break and may not', () => {
    const counted = (asked: Partial<Read>): readonly string[] => {
      const operations = [{ ...read({ at: 1 }, asked), index: 0 }];
      return [...judgeClients({ facts, operations }, { isWhole: false }).opportunities.keys()].toSorted();
    };
    const always = ['client.requests.carry-a-credential', 'client.requests.keep-their-form'];
    const parameters = 'client.requests.mentions-parameters';
    expect(counted({})).toEqual([...always, parameters]);
    expect(counted({ limit: 7 })).toEqual([...always, 'client.requests.limit-in-range', parameters]);
    // One that the server has taken.
    expect(counted({ refusedFor: 'mentions.override-is-400', isBaseline: false })).toEqual(always);
    // One with several faults, whichever they are.
    expect(counted({ refusedFor: 'errors.refusals-are-4xx', after: 0, limit: 7 })).toEqual([]);
  });

  it('see a cursor that is the sequence of an item, and take one that a page gave', () => {
    const page = read({ at: 0 }, { after: 0, nextAfter: 20 }, [11, 14]);
    expect(found([page, read({ at: 10 }, { after: 14 })])).toEqual(['cursor-of-an-item']);
    expect(found([page, read({ at: 10 }, { after: 20 })])).toEqual([]);
    expect(found([page, read({ at: 10 }, { after: 13 })])).toEqual([]);
  });

  it('let go who goes back into a page that it had', () => {
    const page = read({ at: 0 }, { after: 0, nextAfter: 20 }, [11, 14]);
    expect(found([page, read({ at: 10 }, { after: 11 })])).toEqual([]);
    const larger = read({ at: 10 }, { after: 0, nextAfter: 20 }, [11, 14, 17]);
    expect(found([page, larger, read({ at: 20 }, { after: 14 })])).toEqual([]);
  });

  it('see a number of a channel among the cursors of mentions', () => {
    const page = read({ at: 0 }, { after: 0, nextAfter: 1000 }, [1000]);
    expect(found([page, read({ at: 10 }, { after: 1 })])).toEqual(['cursor-of-another-stream']);
    const other = read({ at: 0 }, { call: 'channel-read', stream: channel, after: 0, nextAfter: 7 });
    expect(found([page, other, read({ at: 10 }, { after: 7 })])).toEqual(['cursor-of-another-stream']);
  });

  it('see that nobody asks for what a page announces, but for a page without a cursor', () => {
    const more = read({ at: 0 }, { after: 0, nextAfter: 5, hasMore: true }, [5]);
    const polls = times(8, (index) => read({ at: 10 * index + 10 }, { after: 0, hasMore: true }, [5]));
    expect(found([more, ...polls])).toEqual(['more-left']);
    expect(found([more, ...polls.slice(1)])).toEqual([]);
    expect(found([more, ...polls, read({ at: 200 }, { after: 5 })])).toEqual([]);
    expect(found([{ ...more, after: undefined }, ...polls])).toEqual([]);
  });

  it('let go who has only peeked at a page, and reads it by a larger limit, or to its end', () => {
    const empty = read({ at: 0 }, { after: 0 });
    const peek = read({ at: 10 }, { after: 0, nextAfter: 5, hasMore: true }, [5]);
    const polls = times(8, (index) => read({ at: 10 * index + 30 }, { after: 9 }));
    const whole = (own: Partial<Read>) => read({ at: 20 }, { after: 0, ...own }, [5, 9]);
    expect(found([empty, peek, whole({}), ...polls])).toEqual([]);
    expect(found([empty, peek, whole({ hasMore: true }), ...polls])).toEqual([]);
    expect(found([empty, peek, read({ at: 20 }, { after: 0 }, [5]), ...polls])).toEqual([]);
    expect(found([empty, peek, read({ at: 20 }, { after: 0, hasMore: true }, [5]), ...polls])).toEqual([
      'more-left',
    ]);
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
    const others: readonly Partial<Send>[] = [
      { targets: ['agent:00000000-0000-4000-8000-0000000000a3'] },
      { files: ['one'] },
      { contentType: 'text/markdown' },
    ];
    for (const other of others)
      expect(found([send({ at: 0 }, {}), send({ at: 10 }, other)])).toEqual(['key-reused']);
    expect(found([send({ at: 0 }, {}), send({ at: 10 }, { contentType: 'text/plain' })])).toEqual([]);
    expect(found([send({ at: 0 }, {}), send({ at: 10 }, {})])).toEqual([]);
    expect(found([send({ at: 0 }, {}), send({ at: 10 }, { text: 'another', channel: 'd' })])).toEqual([]);
  });

  it('see a fresh key after a lost answer, and let go who looked, or says the same now and then', () => {
    const lost = send({ at: 0, status: 0 }, { key: 'one' });
    const again = send({ at: 100 }, { key: 'two' });
    expect(found([lost, again])).toEqual(['fresh-key']);
    expect(found([lost, { ...again, key: 'one' }])).toEqual([]);
    expect(found([lost, { ...again, files: ['another'] }])).toEqual([]);
    const look = read({ at: 50 }, { call: 'channel-read', stream: channel, after: 0 });
    expect(found([lost, look, again])).toEqual([]);
    expect(found([lost, { ...look, isBaseline: false }, again])).toEqual([]);
    for (const status of [408, 500]) expect(found([{ ...lost, status }, again])).toEqual([]);
    expect(found([lost, again, send({ at: 200 }, { key: 'three' })])).toEqual([]);
    expect(found([lost, send({ at: 90_000 }, { key: 'two' })])).toEqual([]);
  });

  it('look at no page again for each that is read on', () => {
    let looks = 0;
    const reads = times(200, (at) => read({ at }, { after: at, nextAfter: at + 1, hasMore: true }));
    const watched = Object.defineProperty({ ...reads[0], index: 0 } as Read, 'nextAfter', {
      get: () => {
        looks += 1;
        return 1;
      },
    });
    const operations = [watched, ...reads.slice(1)];
    const { opportunities } = judgeClients({ facts, operations }, { isWhole: true });
    expect(opportunities.get('client.pages.reads-on')).toBe(199);
    expect(looks).toBeLessThan(20);
  });

  it('see a loop without a pause, and take polls that wait or pause, or find something', () => {
    const polls = (stepMs: number, asked: Partial<Read> = {}, sequences: readonly number[] = []) =>
      times(120, (index) => read({ at: stepMs * index }, { after: 0, ...asked }, sequences));
    expect(found(polls(30))).toEqual(['read-loop']);
    expect(found(polls(31))).toEqual([]);
    expect(found(polls(6, { wait: 1 }))).toEqual([]);
    expect(found(polls(6, {}, [5]))).toEqual([]);
    expect(found(polls(6).slice(0, 99))).toEqual([]);
    // Only the last hundred count, however long it went on before.
    const quickened = (quick: number) =>
      times(200 + quick, (index) =>
        read({ at: 100 * Math.min(index, 199) + 6 * Math.max(0, index - 199) }, { after: 0 }),
      );
    expect(found(quickened(49))).toEqual([]);
    expect(found(quickened(50))).toEqual(['read-loop']);
  });

  it('see a loop over several things, and take one that pauses once a turn, or finds something in one of them', () => {
    const turns = (stepMs: number, pauseMs: number, sequences: readonly number[] = []) =>
      times(120, (index) => {
        const at = index * (2 * stepMs + pauseMs);
        const other = { call: 'channel-read', stream: channel, after: 0 } as const;
        return [read({ at }, { after: 0 }), read({ at: at + stepMs }, other, sequences)];
      }).flat();
    expect(found(turns(6, 0))).toEqual(['read-loop']);
    expect(found(turns(6, 24))).toEqual([]);
    expect(found(turns(6, 0, [5]))).toEqual([]);
    expect(found(turns(4, 0))).toEqual([]);
  });

  it('take who obeys a limit that asks for no pause, and a wait in a query of another form', () => {
    const limited = (retryAfter?: number) =>
      times(120, (index) => read({ at: 6 * index, status: 429, retryAfter }, { after: 0 }));
    expect(found(limited(0))).toEqual([]);
    expect(found(limited())).toEqual(['read-loop']);
    const unusual = (tookMs: number, status = 200) =>
      times(120, (index) => {
        const poll = read({ at: (tookMs + 1) * index, status }, { isBaseline: false });
        return { ...poll, endedMs: poll.startedMs + tookMs };
      });
    expect(found(unusual(1_000))).toEqual([]);
    expect(found(unusual(5))).toEqual(['read-loop']);
    const together = unusual(5).map((poll) => ({ ...poll, endedMs: poll.endedMs + 5 }));
    expect(found(together)).toEqual([]);
    expect(found(unusual(1_000, 400))).toEqual(['read-loop']);
  });

  it('let go what was sent under a key that nothing was stored for', () => {
    const refused = send({ at: 0, status: 413 }, {});
    expect(found([refused, send({ at: 10 }, { text: 'another' })])).toEqual([]);
    const conflict = send({ at: 20, status: 409 }, { text: 'a third' });
    expect(found([refused, send({ at: 10 }, { text: 'another' }), conflict])).toEqual(['key-reused']);
  });

  it('see a report of what no answer had shown, where all that was read is known', () => {
    const report = buildReport(common({ at: 50 }), { channel: 'c', messages: ['m5'] });
    expect(found([report])).toEqual(['unseen-receipt']);
    expect(found([read({ at: 0 }, { after: 0 }, [5]), report])).toEqual([]);
    expect(found([report], false)).toEqual([]);
  });
});

describe('the judges of clients, of live traffic,', () => {
  const live = (operations: readonly Operation[]) => found(operations, false);
  /** Pages whose cursors lie beyond their last item, each read from what the one before is left by. */
  const walk = (count: number, leaveBy: (page: number) => number) =>
    times(count, (index) =>
      read({ at: 10 * index }, { after: index === 0 ? 0 : leaveBy(index - 1), nextAfter: 10 * index + 9 }, [
        10 * index + 3,
        10 * index + 5,
      ]),
    );

  it('see a caller that leaves page after page by its last item, and let go one that may have its cursor from elsewhere', () => {
    expect(live(walk(4, (page) => 10 * page + 5))).toEqual(['cursor-of-an-item']);
    expect(live(walk(3, (page) => 10 * page + 5))).toEqual([]);
    expect(live(walk(6, (page) => 10 * page + 3))).toEqual([]);
    expect(live(walk(6, (page) => 10 * page + 9))).toEqual([]);
    expect(live(walk(6, (page) => 10 * page + (page === 0 ? 9 : 5)))).toEqual([]);
  });

  it("see a caller that leaves page after page of its mentions by a message's number in its channel", () => {
    const pages = times(5, (index) => {
      const items = [
        read(
          { at: 0 },
          {},
          times(index + 1, (at) => 100 + at),
        ),
      ].flatMap((each) => each.items);
      return { ...read({ at: 10 * index }, { after: index, nextAfter: 100 + index }), items };
    });
    expect(live(pages)).toEqual(['cursor-of-another-stream']);
    expect(live(pages.slice(0, 3))).toEqual([]);
  });

  it('let go two processes under one credential, each of which goes on by its own cursors', () => {
    const [one, two] = [walk(6, (page) => 10 * page + 9), walk(6, (page) => 10 * page + 9)];
    const later = two.map((each) => ({
      ...each,
      startedMs: each.startedMs + 25,
      endedMs: each.endedMs + 25,
    }));
    expect(live([...one, ...later])).toEqual([]);
  });

  it('find fault with what the contract says outright, and with other requests where the server does', () => {
    const asked = (own: Partial<Read>, status: number) => live([read({ at: 0, status }, own)]);
    expect(asked({ refusedFor: 'mentions.limit.max' }, 200)).toEqual(['invalid-request']);
    expect(asked({ refusedFor: 'mentions.limit.max' }, 503)).toEqual(['invalid-request']);
    expect(asked({ refusedFor: 'mentions.limit.max' }, 0)).toEqual(['invalid-request']);
    expect(asked({ refusedFor: 'errors.unsupported-parameter-is-400' }, 400)).toEqual(['invalid-request']);
    expect(asked({ refusedFor: 'errors.unsupported-parameter-is-400' }, 200)).toEqual([]);
    const sent = (refusedFor: ClauseId, status: number) => live([send({ at: 0, status }, { refusedFor })]);
    expect(sent('send.nul-refused', 201)).toEqual(['invalid-request']);
    expect(sent('send.nul-refused', 500)).toEqual(['invalid-request']);
    expect(sent('send.content.required', 500)).toEqual([]);
    expect([sent('send.content.required', 201), sent('send.content.required', 400)]).toEqual([
      [],
      ['invalid-request'],
    ]);
    expect(asked({ refusedFor: 'auth.missing-credential' }, 401)).toEqual(['invalid-request']);
    expect(asked({ refusedFor: 'auth.missing-credential' }, 200)).toEqual([]);
    const named = (status: number) => live([send({ at: 0, status }, { targets: ['agent:bob'] })]);
    expect([named(400), named(201), named(404)]).toEqual([['invalid-request'], [], []]);
  });

  it('let go what is asked within a limit, by whoever shares the credential, but for one message', () => {
    const reads = times(9, (index) => read({ at: 100 * index, status: 429, retryAfter: 2 }, { after: 0 }));
    expect(live(reads)).toEqual([]);
    const sends = times(4, (index) => send({ at: 100 * index, status: 429, retryAfter: 2 }, {}));
    expect(live(sends)).toEqual(['limit-ignored']);
    expect(live(sends.map((each) => ({ ...each, key: undefined })))).toEqual([]);
  });

  it('see fresh keys after lost answers only of who does so each time, and says nothing twice', () => {
    const retried = (text: string, at: number) => [
      send({ at, status: 0 }, { text, key: `${text} 1` }),
      send({ at: at + 100 }, { text, key: `${text} 2` }),
    ];
    const all = ['one', 'two', 'three'].flatMap((text, index) => retried(text, 1_000 * index));
    expect(new Set(live(all))).toEqual(new Set(['fresh-key']));
    expect(live(all.slice(0, 4))).toEqual([]);
    const twice = ['k', 'l'].map((key, index) => send({ at: 5_000 + 100 * index }, { text: 'ok', key }));
    expect(live([...all, ...twice])).toEqual([]);
    const look = read({ at: 50 }, { call: 'channel-read', stream: channel, after: 0 });
    expect(live([...all, { ...look, agent: 'another' }])).toEqual([]);
  });

  it('see a loop that takes many requests in a row, closer together', () => {
    const polls = (stepMs: number, count: number) =>
      times(count, (index) => read({ at: stepMs * index }, { after: 0 }));
    expect(live(polls(13, 600))).toEqual(['read-loop']);
    expect(live(polls(14, 600))).toEqual([]);
    expect(live(polls(13, 599))).toEqual([]);
  });

  it('take who asks for its mentions as an agent beside what brings something under the same credential', () => {
    const turns = (sequences: readonly number[]) =>
      times(600, (index) => {
        const mentions = read({ at: 12 * index }, { after: 0, stream: 'feed reader as a' });
        const other = { call: 'channel-read', stream: channel, after: 0 } as const;
        return [{ ...mentions, agent: 'reader as a' }, read({ at: 12 * index + 6 }, other, sequences)];
      }).flat();
    expect(live(turns([]))).toContain('read-loop');
    expect(live(turns([5]))).toEqual([]);
  });

  it('let go what a page announces, and what a run of this suite asks on purpose', () => {
    const more = read({ at: 0 }, { after: 0, nextAfter: 5, hasMore: true }, [5]);
    expect(live([more, ...times(9, (index) => read({ at: 10 * index + 10 }, { after: 0 }, [5]))])).toEqual(
      [],
    );
    const wrong = read({ at: 0, status: 400 }, { refusedFor: 'mentions.limit.max' });
    expect(live([{ ...wrong, client: 'conform' }])).toEqual([]);
  });
});
