import { describe, expect, it } from 'vitest';
import { Baseline } from '../../../harness/gate/baseline.ts';
import { type Score, Scoring, type ScoringOptions } from '../../../harness/gate/scoring.ts';
import type { CheckEvent, ClauseVerdict } from '../../../harness/results/generated/events.ts';
import type { ClauseId } from '../../../spec/index.ts';
import { check, clause } from '../../reporters/events.ts';

function ended(
  id: string,
  verdict: ClauseVerdict['verdict'],
  decided: ClauseId = 'mentions.ascending',
): CheckEvent {
  const reason = verdict === 'inconclusive' ? { reason: 'disturbed' } : {};
  return check(id, id, [clause(decided, { verdict, ...reason })]);
}

function scoreOf(events: readonly CheckEvent[], options: ScoringOptions, isStrict = false): Score {
  const scoring = new Scoring(options, { isStrict });
  return scoring.scoreOf(
    events.map((event) => scoring.labelled(event)),
    { isNarrowed: false },
  );
}

function known(entry: Partial<ConstructorParameters<typeof Baseline>[0][number]> = {}): ScoringOptions {
  const deciders = [{ id: 'a.b', clauses: ['mentions.ascending' as const] }];
  const place = 'known.yaml:1:3';
  const entries = [{ check: 'a.b', reason: 'why', place, ...entry }];
  return { baseline: new Baseline(entries, { deciders, today: '2026-03-01' }) };
}

const passed = ended('c.d', 'passed', 'mentions.newest-page');
const failed = ended('a.b', 'failed');
const [warned, open] = [ended('a.b', 'warned'), ended('a.b', 'inconclusive')];
const newest = (verdict: 'passed' | 'inconclusive') => ended('a.b', verdict, 'mentions.newest-page');
const wire = ended('wire.page', 'passed');
const apart = check('e.f', 'e.f', [
  clause('mentions.ascending', { verdict: 'inconclusive', inapplicable: 'this server has no receipts' }),
]);

/** Those of a requirement set of one check. */
const scored: ScoringOptions = { requirements: { name: '1', checks: new Set(['c.d']) } };
const wanted: ScoringOptions = { required: ['mentions.ascending'] };
const restating: ScoringOptions = { required: ['limits.content-max'] };

type Row = readonly [name: string, events: readonly CheckEvent[], options: ScoringOptions, score: Score];

describe('the score of a run', () => {
  it.each<Row>([
    ['1 for a failure', [failed, passed], {}, { exitCode: 1 }],
    ['0 when that is known', [failed, passed], known(), { exitCode: 0 }],
    ['3 when nothing but the form of answers was seen', [newest('inconclusive'), wire], {}, { exitCode: 3 }],
    ['0 when something else was', [newest('passed'), wire], {}, { exitCode: 0 }],
    ['1 for a failure beside one that is known', [failed, ended('e.f', 'failed')], known(), { exitCode: 1 }],
    [
      '1 when what is known passed, and names the entry',
      [ended('a.b', 'passed')],
      known(),
      {
        exitCode: 1,
        staleBaseline: [{ place: 'known.yaml:1:3', check: 'a.b', problem: 'passed', reason: 'why' }],
      },
    ],
    ['0 when what is known stayed inconclusive', [open, passed], known(), { exitCode: 0 }],
    ['3 when nothing passed beside what is known: nothing was proved', [failed], known(), { exitCode: 3 }],
    ['0 whatever failed outside the requirement set', [failed, passed], scored, { exitCode: 0 }],
    ['3 when nothing passed in it', [ended('a.b', 'passed')], scored, { exitCode: 3 }],
    ['1 for a failure in it', [ended('c.d', 'failed')], scored, { exitCode: 1 }],
    [
      '3 when a required clause stayed inconclusive, and names it with its reason',
      [open, passed],
      { required: ['mentions.ascending', 'mentions.newest-page', 'mentions.limit.max'] },
      {
        exitCode: 3,
        requiredInconclusive: [
          { clause: 'mentions.ascending', reason: 'disturbed' },
          { clause: 'mentions.limit.max', reason: 'no check that ran decides it' },
        ],
      },
    ],
    [
      '3 with the reason of a check that it applies to',
      [apart, open, passed],
      { required: ['mentions.ascending'] },
      { exitCode: 3, requiredInconclusive: [{ clause: 'mentions.ascending', reason: 'disturbed' }] },
    ],
    [
      '1 when something failed beside it',
      [failed],
      { required: ['mentions.limit.max'] },
      {
        exitCode: 1,
        requiredInconclusive: [{ clause: 'mentions.limit.max', reason: 'no check that ran decides it' }],
      },
    ],
    [
      '0 for a known failure of a required clause',
      [failed, passed],
      { ...wanted, ...known() },
      { exitCode: 0 },
    ],
    [
      '3 where only an unscored verdict decides it',
      [ended('a.b', 'passed'), passed],
      { ...wanted, ...scored },
      {
        exitCode: 3,
        requiredInconclusive: [
          { clause: 'mentions.ascending', reason: 'only a check that is not scored decided it' },
        ],
      },
    ],
    [
      '0 for a restating clause that is decided with the one that it restates',
      [ended('a.b', 'passed', 'send.content-bytes')],
      restating,
      { exitCode: 0 },
    ],
    [
      '3 for one that is not',
      [ended('a.b', 'inconclusive', 'send.content-bytes'), passed],
      restating,
      { exitCode: 3, requiredInconclusive: [{ clause: 'limits.content-max', reason: 'disturbed' }] },
    ],
  ])('is %s', (_, events, options, score) => {
    expect(scoreOf(events, options)).toEqual(score);
  });

  it('is 1 for a warning of a strict run, and 0 when that is known', () => {
    expect(scoreOf([warned, passed], {}, true).exitCode).toBe(1);
    expect(scoreOf([warned, passed], known(), true).exitCode).toBe(0);
  });

  it('is 1 when an entry has expired, whatever its check did', () => {
    expect(scoreOf([open, passed], known({ expires: '2026-02-28' }))).toMatchObject({
      exitCode: 1,
      staleBaseline: [{ problem: 'expired' }],
    });
  });
});

describe('a limit of what answers take', () => {
  const limits = [{ call: 'mentions', maxP95Ms: 200 }] as const;
  const measured = (p95Ms: number) => [{ call: 'mentions', requests: 40, p50Ms: 3, p95Ms }];
  const score = (latencies: ReturnType<typeof measured>, events = [passed]) =>
    new Scoring({ latencyLimits: limits }, { isStrict: false }).scoreOf(events, {
      isNarrowed: false,
      latencies,
    });

  it('is kept up to its value', () => {
    expect(score(measured(200))).toMatchObject({
      exitCode: 0,
      latencyGates: [{ call: 'mentions', maxP95Ms: 200, requests: 40, p95Ms: 200, verdict: 'passed' }],
    });
  });

  it('fails the run beyond it, strict or not', () => {
    expect(score(measured(200.1))).toMatchObject({ exitCode: 1, latencyGates: [{ verdict: 'failed' }] });
  });

  it('keeps a run from being green where nothing was measured, and hides no failure', () => {
    expect(score([])).toMatchObject({
      exitCode: 3,
      latencyGates: [{ requests: 0, verdict: 'inconclusive' }],
    });
    expect(score([], [ended('a.b', 'failed')]).exitCode).toBe(1);
  });
});
