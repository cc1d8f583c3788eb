import { describe, expect, it } from 'vitest';
import { cutShort, type Cut } from './cut-short.ts';
import { findingsOf } from './run-suite.ts';

/** What ends a run early, how, and the exit code of the run. */
type CutRow = readonly [string, Cut, number];

/** Runs that are cut short at a mutant, and at a good server: the first says what is broken, the second nothing. */
export function describeCutShort(cause: string, broken: readonly CutRow[], good: readonly CutRow[]): void {
  describe(`a run that is cut short by ${cause}`, () => {
    it.each(broken)(
      'says what its history shows broken, because of %s all the same',
      async (_, cut, exitCode) => {
        const run = await cutShort(cut, true);
        expect(findingsOf(run)).toContain('message.mentions.captured failed');
        expect([run.footer.end, run.footer.exitCode, run.judgedCode]).toEqual(['interrupted', exitCode, 1]);
        expect(run.footer.clauses.must.failed).toBeGreaterThan(0);
      },
      60_000,
    );

    it.each(good)(
      'holds nothing against a good server because of %s',
      async (_, cut, exitCode) => {
        const run = await cutShort(cut, false);
        expect(run.findings.map(({ clause, actual }) => `${clause} ${actual}`)).toEqual([]);
        expect([run.footer.end, run.footer.exitCode]).toEqual(['interrupted', exitCode]);
        expect([0, 3]).toContain(run.judgedCode);
      },
      60_000,
    );
  });
}
