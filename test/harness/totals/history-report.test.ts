import { describe, expect, it } from 'vitest';
import { HistoryReader } from '../../../history/ndjson-reader.ts';
import type { History } from '../../../history/operation.ts';
import { readTarget } from '../../../harness/config/reading/read-target.ts';
import { KeptExchanges } from '../../../harness/record/kept-exchanges.ts';
import { reportHistory } from '../../../harness/totals/history-report.ts';
import type { ClauseId } from '../../../spec/index.ts';

/** A channel read twice, by two checks: its second page descends. */
function twoReads(): History {
  const reader = new HistoryReader();
  const page = (client: string, startedMs: number, items: readonly number[]) => ({
    kind: 'read',
    client,
    agent: 'author',
    startedMs,
    endedMs: startedMs + 1,
    outcome: 'accepted',
    status: 200,
    call: 'channel-read',
    stream: 'channel c',
    after: 0,
    limit: 100,
    isBaseline: true,
    items,
    nextAfter: 2,
    hasMore: false,
    highWatermark: 2,
  });
  const lines = [
    { history: 1, runId: 'cf-0', settleMs: 50, isDurable: false },
    ...[1, 2].flatMap((sequence, at) => [
      { message: at, id: `m${sequence}`, channel: 'c', sequence },
      { item: at, id: `m${sequence}`, sequence, message: at },
    ]),
    page('channel-read.one', 10, [0, 1]),
    page('channel-read.two', 20, [1, 0]),
  ];
  for (const line of lines) reader.add(JSON.stringify(line));
  return reader.history();
}

/** A feed that lists a message to its reader; whether one to nobody was sent as well. */
function oneMention(isBroadcastSent: boolean): History {
  const reader = new HistoryReader();
  const send = (marker: string, targets: readonly string[]) => ({
    kind: 'send',
    client: 'channel-read.one',
    agent: 'author',
    startedMs: 1,
    endedMs: 2,
    outcome: 'accepted',
    channel: 'c',
    content: { digest: marker, bytes: 6, form: 'ascii', marker },
    targets,
    files: [],
    isBaseline: true,
  });
  const content = { digest: 'cf-0-1.', bytes: 6, form: 'ascii', marker: 'cf-0-1.' };
  const lines = [
    { history: 1, runId: 'cf-0', settleMs: 50, isDurable: false },
    send('cf-0-1.', ['agent:r']),
    ...(isBroadcastSent ? [send('cf-0-2.', [])] : []),
    { message: 0, id: 'm1', channel: 'c', sequence: 1, content, targets: ['agent:r'] },
    { item: 0, id: 'm1', sequence: 1, message: 0 },
    {
      kind: 'read',
      client: 'channel-read.one',
      agent: 'reader',
      startedMs: 10,
      endedMs: 11,
      outcome: 'accepted',
      status: 200,
      call: 'mentions',
      stream: 'feed reader',
      isBaseline: true,
      items: [0],
      nextAfter: 1,
      hasMore: false,
      highWatermark: 1,
      agentId: 'r',
    },
  ];
  for (const line of lines) reader.add(JSON.stringify(line));
  return reader.history();
}

function report(passed: readonly string[], history = twoReads()) {
  return reportHistory({
    target: readTarget({ flags: { baseUrl: 'https://host' }, env: {}, cwd: '/' }).target,
    isNarrowed: false,
    history,
    exchanges: new KeptExchanges(),
    decided: new Set(),
    checks: new Set(['channel-read.one', 'channel-read.two']),
    passed: new Set(passed),
    arranges: () => false,
  });
}

function verdictOf(result: ReturnType<typeof report>, clause: ClauseId): string | undefined {
  const verdicts = result.checks.flatMap((check) => check.clauses);
  return verdicts.find((each) => each.clause === clause)?.verdict;
}

describe('the report on a history', () => {
  it('finds what a page broke that its own check let pass', () => {
    const result = report(['channel-read.one', 'channel-read.two']);
    expect(result.sighted).toMatchObject([{ clause: 'channel-read.ascending', metIn: 'channel-read.two' }]);
    expect(verdictOf(result, 'channel-read.ascending')).toBe('failed');
  });

  it('says how often it was broken, and no rate: a rule is judged where no fault could show', () => {
    const [seen] = report(['channel-read.one', 'channel-read.two']).sighted.map((each) => each.seen);
    expect(seen).toEqual({ times: 1 });
  });

  it('passes nothing on account of checks that did not pass', () => {
    expect(verdictOf(report(['channel-read.one']), 'channel-read.after-exclusive')).toBe('passed');
    expect(verdictOf(report([]), 'channel-read.after-exclusive')).toBe('inconclusive');
  });

  it('passes no clause on messages that could not have broken it', () => {
    const clause = 'mentions.broadcasts-excluded';
    const [without, beside] = [false, true].map((isSent) => report(['channel-read.one'], oneMention(isSent)));
    expect(without && verdictOf(without, clause)).toBe('inconclusive');
    const reasons = without?.checks.flatMap(({ clauses }) => clauses.map(({ reason }) => reason));
    expect(reasons).toContain(
      'not put to the test: none of the situations that it declares arose, such as target none, sender author',
    );
    expect(beside && verdictOf(beside, clause)).toBe('passed');
  });
});
