import { describe, expect, it } from 'vitest';
import { channelReadChecks } from '../../../suites/channel-read/index.ts';
import { findingsOf, notPassed, runAgainst } from '../run-suite.ts';

describe('a server that keeps the contract', () => {
  it('passes every check of channel reads', async () => {
    const run = await runAgainst(channelReadChecks);
    expect(notPassed(run)).toEqual([]);
    expect(findingsOf(run)).toEqual([]);
  });
});
