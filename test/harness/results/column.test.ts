import { describe, expect, it } from 'vitest';
import { columnOfCheck, columnOfClause, tallyOf, worstColumn } from '../../../harness/results/column.ts';
import { InvalidStream, readStream, writeEvent } from '../../../harness/results/stream.ts';
import type { CheckEvent, ClauseVerdict, Verdict } from '../../../harness/results/generated/events.ts';
import { check, clause, footer, header } from '../../reporters/events.ts';

const part = (verdict: Verdict, known?: string): ClauseVerdict =>
  clause('mentions.ascending', { verdict, ...(known === undefined ? {} : { known }) });
const of = (clauses: readonly ClauseVerdict[], more: Partial<CheckEvent> = {}): CheckEvent =>
  check('mentions.pages-ascend', 'mentions ascend', clauses, more);

describe('the column of a check', () => {
  it('is its verdict where nothing is known', () => {
    expect(columnOfCheck(of([part('warned')]))).toBe('warned');
  });

  it('is known when all that is broken is known, whatever is inconclusive beside it', () => {
    const clauses = [part('failed', 'why'), part('inconclusive'), part('passed')];
    expect(columnOfCheck(of(clauses))).toBe('known');
  });

  it('is that of what is broken beside what is known', () => {
    const clauses = [part('failed', 'why'), part('warned')];
    expect(columnOfCheck(of(clauses))).toBe('warned');
  });

  it('is not scored for a check outside the requirement set, known or not', () => {
    const clauses = [part('failed', 'why')];
    expect(columnOfCheck(of(clauses, { isScored: false }))).toBe('notScored');
  });
});

describe('the column of a clause', () => {
  it('stays inconclusive when the only check that met it is not scored and could not tell', () => {
    expect(columnOfClause(part('inconclusive'), { isScored: false })).toBe('inconclusive');
    expect(columnOfClause(part('passed'), { isScored: false })).toBe('notScored');
  });

  it('is decided by what is scored: an unscored verdict outweighs only the inconclusive', () => {
    expect(worstColumn(['notScored', 'passed'])).toBe('passed');
    expect(worstColumn(['notScored', 'inconclusive'])).toBe('notScored');
    expect(worstColumn(['passed', 'known', 'failed'])).toBe('failed');
  });
});

describe('a tally', () => {
  it('names what is apart only when there is any', () => {
    expect(tallyOf(['passed'])).toEqual({ passed: 1, failed: 0, warned: 0, inconclusive: 0 });
    expect(tallyOf(['known', 'notScored', 'known'])).toMatchObject({ failed: 0, known: 2, notScored: 1 });
  });

  it('of a stream that counts a known failure as failed is refused', async () => {
    const checks = { passed: 0, failed: 1, warned: 0, inconclusive: 0 };
    const lines = [header(), of([part('failed', 'why')]), footer({ checks })].map(writeEvent);
    await expect(readStream(lines)).rejects.toThrow(InvalidStream);
    await expect(readStream(lines)).rejects.toThrow(/1 known/);
  });
});
