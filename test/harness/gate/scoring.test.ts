import { describe, expect, it } from 'vitest';
import { Baseline } from '../../../harness/gate/baseline.ts';
import { Scoring, type ScoringOptions } from '../../../harness/gate/scoring.ts';
import type { CheckEvent, ClauseVerdict } from '../../../harness/results/generated/events.ts';
import type { ClauseId } from '../../../spec/index.ts';

function ended(
  check: string,
  verdict: ClauseVerdict['verdict'],
  clause: ClauseId = 'mentions.ascending',
): CheckEvent {
  return {
    type: 'check',
    check,
    title: check,
    area: 'mentions',
    verdict,
    clauses: [
      {
        clause,
        level: 'must',
        verdict,
        judged: 1,
        ...(verdict === 'inconclusive' ? { reason: 'disturbed' } : {}),
      },
    ],
    requests: 1,
    judged: 1,
    attempts: 1,
    durationMs: 1,
  };
}

function scoreOf(events: readonly CheckEvent[], options: ScoringOptions = {}, isStrict = false) {
  const scoring = new Scoring(options, { isStrict });
  return scoring.scoreOf(
    events.map((event) => scoring.labelled(event)),
    { isNarrowed: false },
  );
}

function known(entry: Partial<ConstructorParameters<typeof Baseline>[0][number]> = {}): Baseline {
  const deciders = [{ id: 'a.b', clauses: ['mentions.ascending' as const] }];
  const place = 'known.yaml:1:3';
  return new Baseline([{ check: 'a.b', reason: 'why', place, ...entry }], { deciders, today: '2026-03-01' });
}

const passed = ended('c.d', 'passed', 'mentions.newest-page');

describe('the score of a run', () => {
  it('is 1 for a failure, and 0 when that is known', () => {
    expect(scoreOf([ended('a.b', 'failed'), passed]).exitCode).toBe(1);
    expect(scoreOf([ended('a.b', 'failed'), passed], { baseline: known() })).toEqual({ exitCode: 0 });
  });

  it('is 3 when nothing but the form of answers was seen', () => {
    const wire = { ...ended('wire.page', 'passed'), area: 'wire' };
    expect(scoreOf([ended('a.b', 'inconclusive', 'mentions.newest-page'), wire]).exitCode).toBe(3);
    expect(scoreOf([ended('a.b', 'passed', 'mentions.newest-page'), wire]).exitCode).toBe(0);
  });

  it('is 1 for a warning of a strict run, and 0 when that is known', () => {
    expect(scoreOf([ended('a.b', 'warned'), passed], {}, true).exitCode).toBe(1);
    expect(scoreOf([ended('a.b', 'warned'), passed], { baseline: known() }, true).exitCode).toBe(0);
  });

  it('is 1 for a failure beside one that is known', () => {
    expect(scoreOf([ended('a.b', 'failed'), ended('e.f', 'failed')], { baseline: known() }).exitCode).toBe(1);
  });

  it('is 1 when what is known passed, and names the entry', () => {
    const score = scoreOf([ended('a.b', 'passed')], { baseline: known() });
    expect(score).toEqual({
      exitCode: 1,
      staleBaseline: [{ place: 'known.yaml:1:3', check: 'a.b', problem: 'passed', reason: 'why' }],
    });
  });

  it('is 1 when an entry has expired, whatever its check did', () => {
    const baseline = known({ expires: '2026-02-28' });
    expect(scoreOf([ended('a.b', 'inconclusive'), passed], { baseline })).toMatchObject({
      exitCode: 1,
      staleBaseline: [{ problem: 'expired' }],
    });
  });

  it('is 0 when what is known stayed inconclusive', () => {
    expect(scoreOf([ended('a.b', 'inconclusive'), passed], { baseline: known() })).toEqual({ exitCode: 0 });
  });

  it('is 3 when nothing passed beside what is known: nothing was proved', () => {
    expect(scoreOf([ended('a.b', 'failed')], { baseline: known() }).exitCode).toBe(3);
  });

  it('is not touched by a check outside the requirement set, failed or passed', () => {
    const requirements = { name: '1', checks: new Set(['c.d']) };
    expect(scoreOf([ended('a.b', 'failed'), passed], { requirements }).exitCode).toBe(0);
    expect(scoreOf([ended('a.b', 'passed')], { requirements }).exitCode).toBe(3);
    expect(scoreOf([ended('c.d', 'failed')], { requirements }).exitCode).toBe(1);
  });

  it('is 3 when a required clause stayed inconclusive, and names it with its reason', () => {
    const required: ClauseId[] = ['mentions.ascending', 'mentions.newest-page', 'mentions.limit.max'];
    expect(scoreOf([ended('a.b', 'inconclusive'), passed], { required })).toEqual({
      exitCode: 3,
      requiredInconclusive: [
        { clause: 'mentions.ascending', reason: 'disturbed' },
        { clause: 'mentions.limit.max', reason: 'no check that ran decides it' },
      ],
    });
  });

  it('is 1 when something failed beside a required clause that stayed inconclusive', () => {
    expect(scoreOf([ended('a.b', 'failed')], { required: ['mentions.limit.max'] }).exitCode).toBe(1);
  });

  it('takes a known failure of a required clause as its decision, an unscored verdict not', () => {
    const required: ClauseId[] = ['mentions.ascending'];
    expect(scoreOf([ended('a.b', 'failed'), passed], { required, baseline: known() }).exitCode).toBe(0);
    const requirements = { name: '1', checks: new Set(['c.d']) };
    expect(scoreOf([ended('a.b', 'passed'), passed], { required, requirements })).toMatchObject({
      exitCode: 3,
      requiredInconclusive: [{ reason: 'only a check that is not scored decided it' }],
    });
  });

  it('takes a restating clause as decided with the one that it restates', () => {
    const required: ClauseId[] = ['limits.content-max'];
    expect(scoreOf([ended('a.b', 'passed', 'send.content-bytes')], { required }).exitCode).toBe(0);
    expect(scoreOf([ended('a.b', 'inconclusive', 'send.content-bytes'), passed], { required })).toMatchObject(
      {
        requiredInconclusive: [{ clause: 'limits.content-max', reason: 'disturbed' }],
      },
    );
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
