import { describe, expect, it } from 'vitest';
import { tallyClauses, verdictOfCheck, worstOf } from '../../../harness/verdict/tally.ts';
import type { ClauseVerdict, Verdict } from '../../../harness/results/generated/events.ts';
import { clauses } from '../../../spec/index.ts';
import { check, clause } from '../../reporters/events.ts';

const parts = (...verdicts: readonly Verdict[]): ClauseVerdict[] =>
  verdicts.map((verdict) => clause('mentions.ascending', { verdict }));

describe('the tally', () => {
  it('lets a failure outweigh everything, and a pass outweigh the inconclusive', () => {
    expect(worstOf(['passed', 'failed', 'warned'])).toBe('failed');
    expect(worstOf(['inconclusive', 'passed'])).toBe('passed');
    expect(worstOf([])).toBe('inconclusive');
  });

  it('passes a check only when none of its clauses stayed inconclusive', () => {
    expect(verdictOfCheck(parts('passed', 'inconclusive'))).toBe('inconclusive');
    expect(verdictOfCheck(parts('warned', 'inconclusive'))).toBe('warned');
    expect(verdictOfCheck(parts('passed', 'passed'))).toBe('passed');
  });

  it('keeps every clause in the denominator', () => {
    const { must, inferred, silent, untestable } = tallyClauses([]);
    const sum = must.inconclusive + inferred.inconclusive + silent + untestable;
    expect(sum).toBe(clauses.length);
    expect(must.passed + inferred.passed).toBe(0);
  });

  it('gives a restating clause the verdict of the clause that it restates', () => {
    const restating = clauses.filter(({ restates }) => restates === 'send.content-bytes').length;
    expect(restating).toBeGreaterThan(0);
    expect(
      tallyClauses([check('a.b', 't', [clause('send.content-bytes', { verdict: 'failed' })])]).must.failed,
    ).toBe(1 + restating);
  });
});
