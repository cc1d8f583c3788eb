import { describe, expect, it } from 'vitest';
import { againCommands } from '../../../cli/shared/again-commands.ts';
import type { ResultEvent } from '../../../harness/results/generated/events.ts';
import { commentOn } from '../../../reporters/compare/comment.ts';
import { compareRuns, type Comparison } from '../../../reporters/compare/comparison.ts';
import { renderComparison } from '../../../reporters/compare/render.ts';
import { verdictOf } from '../../../reporters/conclusion.ts';
import { RunCollector } from '../../../reporters/run-so-far.ts';
import type { ClauseId } from '../../../spec/index.ts';
import { collected, finding, runs } from '../events.ts';
import { fullRun } from '../page/full-run.ts';
import { campaign, stressRun } from '../page/other-runs.ts';

/** A campaign that found these clauses broken. */
function campaignThatFound(...broken: readonly ClauseId[]): RunCollector {
  const findings = broken.map((clause, index) =>
    finding({ id: `F${index + 1}`, clause, actual: `got ${clause}` }),
  );
  const ended = campaign.map((event) =>
    event.type === 'footer' && broken.length > 0 ? { ...event, exitCode: 1 } : event,
  );
  return collected([...ended.slice(0, 1), ...findings, ...ended.slice(1)]);
}

const compared = (...each: readonly RunCollector[]): Comparison =>
  compareRuns(each.map((run, index) => ({ name: `${index}.ndjson`, run })));

const named = (differences: Comparison['fixed']): readonly string[] =>
  differences.map(({ subject }) => subject);

const conforming = collected(fullRun({ broken: [] }));
const limits = ['limits.mentions-limit-max', 'mentions.limit.max'];

describe('a comparison', () => {
  it('has what a campaign found broken as a regression of a run that kept it', () => {
    const comparison = compared(conforming, campaignThatFound('mentions.limit.max'));
    expect(named(comparison.regressions)).toEqual(limits);
    expect(comparison.regressions.map(({ got }) => got)).toContain('got mentions.limit.max');
    // Of the hundreds that it has nothing to say of.
    expect([comparison.otherwise, comparison.observations].flat()).toEqual([]);
    expect(named(compared(campaignThatFound('mentions.limit.max'), conforming).fixed)).toEqual(limits);
  });

  it('has what one campaign found and another did not as a regression, and as fixed', () => {
    const [one, other] = [campaignThatFound('mentions.ascending'), campaignThatFound('mentions.limit.max')];
    const comparison = compared(one, other);
    expect(named(comparison.regressions)).toEqual(limits);
    expect(named(comparison.fixed)).toEqual(['mentions.ascending']);
    expect(renderComparison(comparison, 'text')).toMatch(/mentions\.limit\.max +not found broken +FAILED/);
    expect(compared(one, one).regressions).toEqual([]);
  });

  it('does not take what a campaign says nothing of for kept where it was cut short', () => {
    const short = campaignThatFound();
    short.footer = undefined;
    const comparison = compared(short, campaignThatFound('mentions.limit.max'));
    expect(comparison.regressions).toEqual([]);
    expect(named(comparison.otherwise)).toEqual(limits);
  });

  it('has what concurrent clients and a run that was stopped found', () => {
    const limit = ['mentions.limit'];
    const before = collected(runs['all passed'].map(keepingTheLimit));
    for (const after of [stressRun, runs['without a footer']])
      expect(named(compared(before, collected(after)).regressions)).toEqual(limit);
    const stopped = collected([
      ...runs['without a footer'].filter(({ type }) => type !== 'check'),
      finding(),
    ]);
    expect(named(compared(before, stopped).regressions)).toEqual(limit);
  });

  it('counts clauses as the run does, those that say what another says too', () => {
    const broken = ['mentions.status-is-200', 'mentions.limit.max'] as const;
    const after = collected(fullRun({ broken }));
    const comparison = compared(conforming, after);
    const { length: count } = comparison.regressions;
    expect(verdictOf(after).text).toContain(`${count} clauses failed`);
    expect(renderComparison(comparison, 'text')).toMatch(
      /limits\.mentions-limit-max +passed +FAILED +says the same as mentions\.limit\.max/,
    );
    const comment = commentOn(conforming, after, againCommands);
    expect(comment).toContain(`### Contract: ${count} clauses newly broken`);
    expect(comment).toContain('- `limits.mentions-limit-max`: says the same as `mentions.limit.max`');
  });

  it('has nothing as fixed that came to no verdict', () => {
    const before = collected(runs['one failed with two exchanges']);
    const { fixed, otherwise } = compared(before, collected(runs['nothing decided']));
    expect(fixed).toEqual([]);
    expect(named(otherwise)).toContain('mentions.limit');
  });
});

it('the comment on a change that a campaign tried has what the campaign found, and not all that it says nothing of', () => {
  const comment = commentOn(conforming, campaignThatFound('mentions.limit.max'), againCommands);
  expect(comment).toContain('### Contract: 2 clauses newly broken\n');
  expect(commentOn(conforming, campaignThatFound(), againCommands)).toBe('');
});

function keepingTheLimit(event: ResultEvent): ResultEvent {
  if (event.type !== 'check') return event;
  return {
    ...event,
    clauses: [...event.clauses, { clause: 'mentions.limit', level: 'must', verdict: 'passed', judged: 1 }],
  };
}
