import { describe, expect, it } from 'vitest';
import { cutShort, twoTargets } from './cut-short.ts';
import type { Cut } from './cut-short.ts';
import { findingsOf } from './run-suite.ts';

describe('a run that is cut short by what it loses', () => {
  it.each([['a server that goes, after it was looked for', { fate: [14_000, 'reset'] }, 1]] satisfies [
    string,
    Cut,
    number,
  ][])(
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
    ['a server that dies', { fate: [1_500, 'die'] }, 3],
    ['a server that falls silent', { fate: [1_500, 'hang'] }, 3],
    ['a server that drops every connection', { fate: [1_500, 'reset'] }, 3],
    ['another server without its data', { fate: [1_500, 'forget'] }, 3],
    ['the loss of every message', { fate: [1_500, 'lose'] }, 3],
    ['the loss of every message, after it was looked for', { fate: [14_000, 'lose'] }, 3],
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
