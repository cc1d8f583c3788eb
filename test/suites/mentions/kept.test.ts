import { describe, expect, it } from 'vitest';
import { mentionsChecks as everyMentionsChecks } from '../../../suites/mentions/index.ts';
import { findingsOf, notPassed, runAgainst } from '../run-suite.ts';
import { withoutOperator } from '../operator-checks.ts';

const mentionsChecks = withoutOperator(everyMentionsChecks);

describe('the mentions suite', () => {
  it('passes every check on a server that keeps the contract', async () => {
    const run = await runAgainst(mentionsChecks);
    expect(findingsOf(run)).toEqual([]);
    expect(notPassed(run)).toEqual([]);
  });

  it('writes at most 120 messages, and less than 3 MB, where no workspace is made for it', async () => {
    const { footer } = await runAgainst(
      mentionsChecks,
      {},
      { target: (target) => ({ ...target, hooks: {} }) },
    );
    expect(footer.footprint.messages).toBeLessThanOrEqual(120);
    expect(footer.footprint.bytesWritten).toBeLessThan(3_000_000);
  });
});
