import { describe, expect, it } from 'vitest';
import { findingsOf, notPassed, runAgainst } from '../run-suite.ts';
import { channelReadChecks } from './run-beside.ts';

describe('a server that keeps the contract', () => {
  it('passes every check of channel reads', async () => {
    const run = await runAgainst(channelReadChecks);
    expect(notPassed(run)).toEqual([]);
    expect(findingsOf(run)).toEqual([]);
  });
});
