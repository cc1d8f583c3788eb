import { describe, expect, it } from 'vitest';
import { profileInWords } from '../../reporters/profile.ts';
import { check, clause, collected, footer, header } from './events.ts';

const untold = { verdict: 'inconclusive', judged: 0 } as const;
const absent = { ...untold, inapplicable: 'this server has none' } as const;

/** The profile of a whole run with one check about these clauses. */
function profileOf(...clauses: readonly ReturnType<typeof clause>[]): string {
  return profileInWords(collected([header({ checks: 1 }), check('a.b', 'a', clauses), footer()]));
}

describe('the profile of a server', () => {
  it('is never without the core, whatever a target does not let be asked', () => {
    const words = profileOf(clause('api-error.details.type', absent), clause('mentions.ascending', untold));
    expect(words).not.toContain('without');
    expect(words).toMatch(/^not tested: core/);
  });

  it('is without a part only where nothing of it is inconclusive', () => {
    const [some, other] = ['message.receipts.type', 'receipts.agent-ids.max'] as const;
    expect(profileOf(clause(some, absent), clause(other, absent))).toContain('without receipts');
    expect(profileOf(clause(some, absent), clause(other, untold))).not.toContain('without');
  });

  it('has long polls only where a read that waits was woken, or was not', () => {
    const accepted = clause('channel-read.wait-25-accepted', { verdict: 'passed', judged: 1 });
    expect(profileOf(accepted, clause('channel-read.wait-wakes', untold))).toMatch(
      /not tested: .*long polls/,
    );
    const woken = clause('channel-read.wait-wakes', { verdict: 'passed', judged: 1 });
    expect(profileOf(accepted, woken)).toMatch(/^long polls/);
  });
});
