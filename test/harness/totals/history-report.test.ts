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

function report(found: readonly ClauseId[], passed: readonly string[]) {
  return reportHistory({
    target: readTarget({ flags: { baseUrl: 'https://host' }, env: {}, cwd: '/' }).target,
    history: twoReads(),
    exchanges: new KeptExchanges(),
    found: new Set(found),
    decided: new Set(),
    checks: new Set(['channel-read.one', 'channel-read.two']),
    passed: new Set(passed),
  });
}

function verdictOf(result: ReturnType<typeof report>, clause: ClauseId): string | undefined {
  const verdicts = result.checks.flatMap((check) => check.clauses);
  return verdicts.find((each) => each.clause === clause)?.verdict;
}

describe('the report on a history', () => {
  it('finds what a page broke that its own check let pass', () => {
    const result = report([], ['channel-read.one', 'channel-read.two']);
    expect(result.causes.flat()).toMatchObject([
      { clause: 'channel-read.ascending', metIn: 'channel-read.two' },
    ]);
    expect(verdictOf(result, 'channel-read.ascending')).toBe('failed');
    expect(result.left).toEqual([]);
  });

  it.each<[string, ClauseId, number, readonly string[]]>([
    ['finds a clause again that was found', 'channel-read.ascending', 1, []],
    ['finds it beside a clause of another family', 'auth.missing-credential', 1, []],
    [
      'leaves it beside one of its own, of which it may be another side',
      'page.next-after-continues',
      0,
      ['channel-read.ascending'],
    ],
  ])('%s', (_what, found, causes, left) => {
    const result = report([found], []);
    expect(result.causes).toHaveLength(causes);
    expect(result.left).toEqual(left);
  });

  it('passes nothing on account of checks that did not pass', () => {
    expect(verdictOf(report([], ['channel-read.one']), 'channel-read.after-exclusive')).toBe('passed');
    expect(verdictOf(report([], []), 'channel-read.after-exclusive')).toBe('inconclusive');
  });
});
