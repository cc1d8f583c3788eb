import { describe, expect, it } from 'vitest';
import { inconclusiveGroups, untriedClauses } from '../../reporters/inconclusive.ts';
import { check, clause, collected, footer, tally } from './events.ts';

const open = { verdict: 'inconclusive', judged: 0, reason: 'no reader', enable: 'roles.reader' } as const;

describe('inconclusiveGroups', () => {
  it('counts each clause and each check once', () => {
    const checks = [
      check('a', 'a', [clause('x', open), clause('y', open)]),
      check('b', 'b', [clause('x', open)]),
    ];
    expect(inconclusiveGroups(checks)).toEqual([
      { kind: 'enable', text: 'roles.reader', clauses: ['x', 'y'], checks: ['a', 'b'] },
    ]);
  });

  it('counts a clause in the largest of its groups alone, with those that say the same', () => {
    const other = { ...open, enable: 'roles.machine' };
    const checks = [
      check('a', 'a', [clause('x', open), clause('file.filename.length', open)]),
      check('b', 'b', [clause('x', other), clause('z', other)]),
    ];
    const groups = inconclusiveGroups(checks).map((group) => [group.text, group.clauses]);
    expect(groups).toEqual([
      ['roles.reader', ['x', 'file.filename.length', 'limits.filename']],
      ['roles.machine', ['z']],
    ]);
  });

  it('does not count a clause that another check decided', () => {
    const checks = [check('a', 'a', [clause('x', open), clause('y', open)]), check('b', 'b', [clause('x')])];
    expect(inconclusiveGroups(checks)).toMatchObject([{ clauses: ['y'], checks: ['a'] }]);
  });

  it('has no group for what a check with a verdict did not come to and others decided', () => {
    const stopped = [clause('x', { verdict: 'failed' }), clause('y', open)];
    const decided = check('b', 'b', [clause('y')]);
    expect(inconclusiveGroups([check('a', 'a', stopped), decided])).toEqual([]);
    // One that came to nothing else is open.
    const groups = inconclusiveGroups([check('a', 'a', [clause('y', open)]), decided]);
    expect(groups).toMatchObject([{ clauses: [], checks: ['a'] }]);
  });

  it('puts what decides most first, and keeps reasons apart from what would enable', () => {
    const checks = [
      check('a', 'a', [clause('x', { verdict: 'inconclusive', reason: 'roles.reader' })]),
      check('b', 'b', [clause('y', open), clause('z', open)]),
      check('c', 'c', [clause('w', { verdict: 'inconclusive' })]),
    ];
    expect(inconclusiveGroups(checks).map(({ kind, text }) => [kind, text])).toEqual([
      ['enable', 'roles.reader'],
      ['reason', 'no reason was given'],
      ['reason', 'roles.reader'],
    ]);
  });
});

describe('untriedClauses', () => {
  it('counts the inconclusive clauses of the register that no check met', () => {
    const run = [
      check('a', 'a', [clause('x', open), clause('s', { ...open, level: 'silent' })]),
      footer({ clauses: { must: tally(1, 0, 0, 7), inferred: tally(0, 0, 0, 3), silent: 4, untestable: 2 } }),
    ];
    expect(untriedClauses(collected(run))).toBe(9);
  });

  it('counts no clause whose verdict is that of one that a check met', () => {
    const run = [
      check('a', 'a', [clause('file.filename.length', open)]),
      footer({ clauses: { must: tally(1, 0, 0, 2), inferred: tally(0, 0, 0, 0), silent: 4, untestable: 2 } }),
    ];
    expect(untriedClauses(collected(run))).toBe(0);
  });
});
