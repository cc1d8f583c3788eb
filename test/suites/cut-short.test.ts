import { describe, expect, it } from 'vitest';
import { cutShort, twoTargets } from './cut-short.ts';
import type { Cut } from './cut-short.ts';
import { findingsOf } from './run-suite.ts';

describe('a run that is cut short', () => {
  it.each([
    ['its budget', { budgetMs: 5_000 }, 1],
    ['a signal', { interruptMs: 5_000 }, 130],
  ] satisfies [string, Cut, number][])(
    'says what its history shows broken, because of %s all the same',
    async (_, cut, exitCode) => {
      const run = await cutShort(cut, twoTargets);
      expect(findingsOf(run)).toContain('message.mentions.captured failed');
      expect([run.footer.end, run.footer.exitCode, run.judgedCode]).toEqual(['interrupted', exitCode, 1]);
      expect(run.footer.clauses.must.failed).toBeGreaterThan(0);
    },
    60_000,
  );

  it.each([
    ['its budget', { budgetMs: 1_500 }, 3],
    ['a signal', { interruptMs: 1_500 }, 130],
  ] satisfies [string, Cut, number][])(
    'holds nothing against a good server because of %s',
    async (_, cut, exitCode) => {
      const run = await cutShort(cut);
      expect(run.findings.map(({ clause, actual }) => `${clause} ${actual}`)).toEqual([]);
      expect([run.footer.end, run.footer.exitCode]).toEqual(['interrupted', exitCode]);
      expect([0, 3]).toContain(run.judgedCode);
    },
    60_000,
  );
});
