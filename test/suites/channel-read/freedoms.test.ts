import { describe, expect, it } from 'vitest';
import { findingsOf } from '../run-suite.ts';
import { freedoms } from './freedoms.ts';
import { channelReadChecks, runBeside, shortChecks } from './run-beside.ts';

describe('a server that keeps the contract in an unusual way', () => {
  it.each(freedoms)(
    'is not found at fault: $name',
    async ({ options, foreign, isEveryCheckRun, warnings = [] }) => {
      const checks = isEveryCheckRun === true ? channelReadChecks : shortChecks;
      const run = await runBeside(foreign, checks, options());
      expect(findingsOf(run).filter((finding) => !warnings.includes(finding))).toEqual([]);
      // Whatever it does, a good part of the contract is seen to be kept.
      expect(run.footer.checks.passed).toBeGreaterThan(10);
    },
  );
});
