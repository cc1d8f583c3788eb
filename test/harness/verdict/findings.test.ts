import { describe, expect, it } from 'vitest';
import { addressOf } from '../../../spec/calls/index.ts';
import type { Exchange } from '../../../harness/client/exchange.ts';
import { Findings, type Sighted } from '../../../harness/verdict/findings.ts';
import { brokenClauses } from '../../../harness/results/broken-clauses.ts';
import type { FindingEvent } from '../../../harness/results/generated/events.ts';
import { KnownSecrets } from '../../../harness/output/known-secrets.ts';
import { exchangeOf } from '../../fixtures/exchange.ts';

const seen = { times: 1, of: 1 };
const must: Sighted = {
  clause: 'message.id.type',
  part: 'p',
  check: 'wire.message',
  expected: 'a UUID',
  actual: '"s3cret-token" is no UUID',
  seen,
  exchanges: [],
};
const inferred: Sighted = {
  ...must,
  clause: 'service.timestamps-are-rfc-3339',
  part: 'q',
  check: 'wire.service',
};

function gathering() {
  const events: FindingEvent[] = [];
  const rules = { secrets: new KnownSecrets(['s3cret-token']), runId: 'cf-1', baseUrl: 'http://127.0.0.1:1' };
  return { events, findings: new Findings(rules, (event) => events.push(event)) };
}

function gathered(...causes: readonly (readonly Sighted[])[]) {
  const { events, findings } = gathering();
  for (const cause of causes) findings.add(...cause);
  findings.close();
  return { events, alsoSeenBy: findings.alsoSeenBy };
}

function clausesOf(events: readonly FindingEvent[]): readonly (readonly string[])[] {
  return events.map((event) => brokenClauses(event).map(({ clause }) => clause));
}

describe('a finding', () => {
  it('shows of a long page the item that its words name, else that of the one message that was sent, below the row', () => {
    const page = (...ids: readonly string[]): unknown => ({
      messages: ids.map((id, index) => ({
        id,
        sequence: index + 1,
        content: `cf-1-${index}. ${'x'.repeat(900)}`,
      })),
    });
    const answered = (call: 'send' | 'channel-read', json: unknown, id: number): Exchange =>
      exchangeOf({ call }, { json, bytes: Buffer.from(JSON.stringify(json)) }, { id });
    const [one, two, three] = ['1', '2', '3'].map((digit) => `0000000${digit}-0000-4000-8000-000000000000`);
    const read = answered('channel-read', page(one ?? '', two ?? '', three ?? ''), 9);
    const sent = (id: string | undefined, at: number): Exchange => answered('send', { message: { id } }, at);
    const shown = (actual: string, ...sends: readonly Exchange[]) => {
      const { events } = gathered([{ ...must, actual, exchanges: [...sends, read] }]);
      return events[0]?.exchanges.at(-1)?.response?.body;
    };
    const row = 'messages: 3 items with the sequences 1-3';
    expect(shown('wrong', sent(two, 1))?.text).toMatch(
      new RegExp(`^${row}\nitem 2 of it: \\{"id":"${two}","sequence":2,"content":"<`),
    );
    expect(shown('wrong', sent(two, 1), sent(two, 2))?.text).toContain('item 2 of it');
    expect(shown('wrong', sent(two, 1), sent(three, 2))?.text).toBe(row);
    expect(shown('wrong', sent('of another page, 1', 1))?.text).toBe(row);
    expect(shown(`${three} is wrong`, sent(two, 1))).toMatchObject({ path: 'messages[2]' });
  });

  it('has every clause of its cause, the gravest first, and the checks of the others', () => {
    const { events, alsoSeenBy } = gathered([inferred, must]);
    expect(events).toHaveLength(1);
    const [event] = events;
    expect(event).toMatchObject({ id: 'F1', clause: must.clause, verdict: 'failed', check: 'wire.message' });
    expect(event?.clauses).toEqual([
      { clause: must.clause, level: 'must', verdict: 'failed', check: 'wire.message' },
      { clause: inferred.clause, level: 'inferred', verdict: 'warned', check: 'wire.service' },
    ]);
    expect(alsoSeenBy).toEqual({ F1: ['wire.service'] });
  });

  it('names for each clause the exchange that decided it, and has it once where it is none of the first clause', () => {
    const [asked, listed, refused] = [1, 2, 3].map((id) =>
      exchangeOf({}, { status: id === 3 ? 400 : 200 }, { id }),
    );
    if (asked === undefined || listed === undefined || refused === undefined)
      throw new Error('three exchanges');
    const also = (clause: Sighted['clause'], actual: string, ...exchanges: readonly Exchange[]): Sighted => ({
      ...inferred,
      clause,
      actual,
      exchanges,
    });
    const { events } = gathered([
      { ...must, exchanges: [asked, listed] },
      also('message.author.type', 'a number', asked),
      also('service.timestamps-are-rfc-3339', 'status 400', refused, listed),
      also('channel-read.recency', 'status 400', refused),
    ]);
    const decided = events[0]?.clauses?.map(({ clause, decidedBy, exchange }) => [
      clause,
      decidedBy,
      exchange?.id,
    ]);
    expect(decided).toEqual([
      ['message.id.type', 2, undefined],
      ['message.author.type', 1, undefined],
      ['service.timestamps-are-rfc-3339', 3, 3],
      ['channel-read.recency', 3, undefined],
    ]);
    expect(events[0]?.exchanges.map(({ id }) => id)).toEqual([1, 2]);
  });

  it('of one clause names it alone, also where two rules of it are broken', () => {
    const { events } = gathered([must, { ...must, part: 'other' }]);
    expect(events.map((each) => each.clauses)).toEqual([undefined]);
    expect(events.flatMap(brokenClauses).map(({ clause }) => clause)).toEqual([must.clause]);
  });

  it('has what several saw of one clause, and what came of the same cause', () => {
    const { events, alsoSeenBy } = gathered([{ ...must, check: 'message.some' }], [must, inferred]);
    expect(clausesOf(events)).toEqual([[must.clause, inferred.clause]]);
    expect(alsoSeenBy).toEqual({ F1: ['wire.message', 'wire.service'] });
  });

  it('has what the same page shows, and what only follows from that; the rest stands apart', () => {
    const shown = (clause: Sighted['clause'], own: readonly string[], others = own): Sighted => ({
      clause,
      check: 'history.x',
      expected: '',
      actual: '',
      seen,
      exchanges: [],
      shownBy: { own, others },
    });
    const sighted = [
      shown('channel-read.ascending', ['read 1']),
      shown('service.channels-are-shared', ['channel c'], ['channel c', 'read 1']),
      shown('message.id.one-message', ['read 2']),
    ];
    const wanted = [['message.id.one-message'], ['channel-read.ascending', 'service.channels-are-shared']];
    expect(clausesOf(gathered(sighted.slice(0, 1), sighted.slice(1, 2), sighted.slice(2)).events)).toEqual(
      wanted,
    );
  });

  it('never puts what is stated under what is implied, and names the same lead in whatever order', () => {
    const page = { shownBy: { own: ['read 1'], others: ['read 1'] }, part: undefined };
    const causes = [
      [{ ...inferred, ...page, check: 'a.first' }],
      [{ ...must, ...page, check: 'b.other' }],
      [{ ...must, ...page, check: 'message.own' }],
    ] as unknown as readonly (readonly Sighted[])[];
    for (const order of [causes, causes.toReversed()]) {
      const { events } = gathered(...order);
      expect(clausesOf(events)).toEqual([[must.clause, inferred.clause]]);
      expect(events[0]).toMatchObject({ check: 'message.own', verdict: 'failed' });
    }
  });

  it('keeps what is known, or not scored, apart from what counts', () => {
    const { events } = gathered([must, { ...inferred, known: 'mended soon' }]);
    expect(events.map(({ clause, known }) => [clause, known])).toEqual([
      [must.clause, undefined],
      [inferred.clause, 'mended soon'],
    ]);
  });

  it('shows no secret that the server put into what is wrong', () => {
    expect(JSON.stringify(gathered([must]).events)).not.toContain('s3cret-token');
  });

  it('has no line for what is answered otherwise when the run ends', async () => {
    const sending = { call: 'send', method: 'POST', headers: { 'idempotency-key': 'k' } } as const;
    const shown = [
      { path: '/empty-then', status: 400 },
      { path: '/broken', status: 400 },
      { path: '/limited', status: 404 },
      { path: '/silent', status: 404 },
      { path: '/waits', status: 404, query: [['wait', '5']] as const },
      { path: '/made', status: 404, headers: { authorization: 'Bearer s3cret-token' } },
      { path: '/fresh', status: 201, ...sending, hasFreshKey: true },
      { path: '/long', status: 201, ...sending, body: 'x'.repeat(100_001) },
      { path: '/repeated', status: 201, ...sending },
    ].map(({ status, ...request }, id) => exchangeOf(request, { status }, { id }));
    const later: Record<string, Exchange> = {
      '/empty-then': exchangeOf(),
      '/broken': exchangeOf({}, { status: 400 }),
      '/limited': exchangeOf({}, { status: 429 }),
      '/silent': exchangeOf({}, {}, { response: undefined }),
      '/repeated': exchangeOf({}, { status: 409 }),
    };
    const tried: string[] = [];
    const { events, findings } = gathering();
    findings.add({ ...must, exchanges: shown });
    await findings.sendAgain(({ request }) => {
      tried.push(request.path);
      return Promise.resolve(later[request.path] ?? exchangeOf());
    });
    findings.close();
    expect(tried).toEqual(Object.keys(later));
    const lines = events.flatMap(({ exchanges }) => exchanges).filter(({ curl }) => curl !== undefined);
    expect(lines.map(({ request: { path } }) => path)).toEqual(
      shown
        .slice(1, -1)
        .map(({ request }) => addressOf(request))
        .filter((path) => path !== '/made'),
    );
    const made = events[0]?.exchanges.find(({ request: { path } }) => path === '/made');
    expect(made?.whyNoCurl).toBe('it takes a credential that the target file does not hold');
    expect(events[0]?.exchanges[0]?.whyNoCurl).toBe('when the run ended it was answered with 200');
  });
});
