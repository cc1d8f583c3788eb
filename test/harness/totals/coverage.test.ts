import { describe, expect, it } from 'vitest';
import { coverageOf } from '../../../harness/totals/coverage.ts';
import { declaredPairs } from '../../../history/situations/tally.ts';
import { declaredCells } from '../../../suites/arrange/auth/access-matrix.ts';

const history = { facts: { runId: 'cf-0', settleMs: 50, isDurable: false }, operations: [] };
const cell = (call: string, form: string) =>
  ({ clause: 'auth.no-access-is-403', dimensions: { call, form } }) as const;

describe('the coverage of a run', () => {
  it('counts each situation that checks declare one by one where it was judged, and names others', () => {
    const declared = [cell('send', 'baseline'), cell('send', 'wait'), cell('mentions', 'baseline')];
    const judged = [
      { clause: 'auth.no-access-is-403', dimensions: { form: 'baseline', call: 'send' } } as const,
      cell('send', 'baseline'),
      cell('send', 'never declared'),
    ];
    const { situations } = coverageOf({
      history,
      inputs: { bounds: [] },
      wire: { bounds: [] },
      declared,
      judged,
    });
    expect(situations.at(-1)).toEqual({
      clause: 'auth.no-access-is-403',
      along: ['call', 'form'],
      declared: 3,
      seen: 1,
      missing: ['call send, form wait', 'call mentions, form baseline'],
    });
  });

  it('has every clause about reading and access, of an empty run as well, in a few kB', () => {
    const declared = declaredCells();
    const coverage = coverageOf({
      history,
      inputs: { bounds: [] },
      wire: { bounds: [] },
      declared,
      judged: [],
    });
    const clauses = new Set([...declaredPairs(), ...declared].map(({ clause }) => clause));
    expect(coverage.situations.map(({ clause }) => clause).toSorted()).toEqual([...clauses].toSorted());
    expect(coverage.situations.filter(({ seen, declared: all }) => seen !== 0 || all === 0)).toEqual([]);
    expect(JSON.stringify(coverage).length).toBeLessThan(30_000);
  });

  it('tells what a bound of answers is about, and the length at it', () => {
    const wire = {
      bounds: [
        { clause: 'file.filename.length', words: '`filename` of 255 characters', times: 2 },
        { clause: 'receipts.agent-ids.max', words: '`agent_ids` with 32 elements', times: 0 },
      ],
    } as const;
    const { bounds } = coverageOf({ history, inputs: { bounds: [] }, wire, declared: [], judged: [] });
    expect(bounds.map(({ of, at, side, times }) => [of, at, side, times])).toEqual([
      ['filename in an answer', '255 characters', 'shown', 2],
      ['agent_ids in an answer', '32 elements', 'shown', 0],
    ]);
  });
});
