import { describe, expect, it } from 'vitest';
import { outcomeOf } from '../../adapters/tests-of-run.ts';
import { check, clause, finding } from '../reporters/events.ts';

const broken = clause('send.content-bytes', { verdict: 'failed' });
const open = { verdict: 'inconclusive', reason: 'no reader', enable: 'roles.reader' } as const;

describe('the test of a check', () => {
  it('passes with it, and where it only warns', () => {
    expect(outcomeOf(check('send.a', 'a', [clause('send.content-bytes')]), [])).toEqual({ is: 'passed' });
    const warned = clause('send.content-bytes', { level: 'inferred', verdict: 'warned' });
    expect(outcomeOf(check('send.a', 'a', [warned]), [])).toEqual({ is: 'passed' });
  });

  it('fails by a warning in a strict run', () => {
    const warned = clause('send.content-bytes', { level: 'inferred', verdict: 'warned' });
    expect(outcomeOf(check('send.a', 'a', [warned]), [], { isStrict: true })).toEqual({
      is: 'failed',
      message: 'send.a failed\nsend.content-bytes',
    });
  });

  it('names the request and the reason where a finding has no curl line', () => {
    const [exchange] = finding().exchanges;
    if (exchange === undefined) throw new Error('a finding has an exchange');
    const { curl, ...without } = exchange;
    expect(curl).toBeDefined();
    const seen = finding({
      clause: 'send.content-bytes',
      exchanges: [{ ...without, whyNoCurl: 'the body is no text' }],
    });
    const outcome = outcomeOf(check('send.a', 'a', [broken]), [seen]);
    expect(JSON.stringify(outcome)).toMatch(/  (?:GET|POST) [^ ]+ \(no curl line: the body is no text\)/);
  });

  it('fails with its findings, and names those clauses too that have none', () => {
    const other = clause('send.content-empty', { verdict: 'failed' });
    const seen = finding({ clause: 'send.content-bytes', expected: '400', actual: '201' });
    expect(outcomeOf(check('send.a', 'a', [broken, other]), [seen])).toEqual({
      is: 'failed',
      message: [
        'send.a failed',
        `send.content-bytes: ${seen.text} (${seen.source})`,
        '  expected 400',
        '  got 201',
        ...seen.exchanges.map(({ curl }) => `  ${curl}`),
        'send.content-empty',
      ].join('\n'),
    });
  });

  it('is skipped with the reason where it is inconclusive, and says a reason once', () => {
    const inconclusive = check('send.a', 'a', [
      clause('send.content-bytes', open),
      clause('send.content-empty', open),
    ]);
    expect(outcomeOf(inconclusive, [])).toEqual({ is: 'skipped', reason: 'no reader; roles.reader' });
  });

  it('is skipped where all that is broken is known, and fails where something else is', () => {
    const known = clause('send.content-bytes', { verdict: 'failed', known: 'until May' });
    expect(outcomeOf(check('send.a', 'a', [known]), [])).toEqual({
      is: 'skipped',
      reason: 'known to fail: until May',
    });
    const other = clause('send.content-empty', { verdict: 'failed' });
    expect(outcomeOf(check('send.a', 'a', [known, other]), [])).toEqual({
      is: 'failed',
      message: 'send.a failed\nsend.content-empty',
    });
  });

  it('is skipped where the check is not scored', () => {
    expect(outcomeOf(check('send.a', 'a', [broken], { isScored: false }), [])).toEqual({
      is: 'skipped',
      reason: 'not scored: failed',
    });
  });
});
