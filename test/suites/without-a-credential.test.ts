import { describe, expect, it } from 'vitest';
import { areaOf } from '../../harness/check/check.ts';
import type { Answer, Rules } from '../../reference/index.ts';
import { refusal } from '../../selftest/mutants/base/spoil-answer.ts';
import { allChecks } from '../../suites/index.ts';
import { findingsOf, runAgainst, type ReferenceOptions, type SuiteRun } from './run-suite.ts';

const checks = allChecks.filter((check) => ['auth', 'errors'].includes(areaOf(check)));

/** A run that was given neither a token nor a hook that makes one. */
function runBare(options: ReferenceOptions = {}): Promise<SuiteRun> {
  return runAgainst(checks, options, { target: (target) => ({ ...target, roles: {}, hooks: {} }) });
}

const passedIn = (run: SuiteRun) => run.checks.filter(({ verdict }) => verdict === 'passed');

describe('without a credential', () => {
  it('nothing passes and nothing fails on the reference', async () => {
    const run = await runBare();
    expect(findingsOf(run)).toEqual([]);
    expect(passedIn(run)).toEqual([]);
    expect(run.footer.exitCode).toBe(3);
  });

  it.each<[string, Partial<Rules>, string]>([
    ['lets everybody in', { admits: (problem) => problem === 'missing' }, 'auth.missing-credential failed'],
    ['names no scheme in a 401', { challenge: () => null }, 'auth.www-authenticate failed'],
  ])('a server that %s is found', async (_, rules, finding) => {
    const run = await runBare({ rules });
    expect(findingsOf(run)).toEqual([finding]);
    expect(run.footer.exitCode).toBe(1);
  });

  it.each<[string, Answer]>([
    ['404', refusal(404)],
    ['a web page', { status: 200, headers: { 'content-type': 'text/html' }, body: Buffer.from('<html>') }],
  ])('a server that may be another one is not failed for %s', async (_, answer) => {
    const run = await runBare({ answer: () => answer });
    expect(run.findings.filter(({ clause }) => clause.startsWith('auth.m'))).toEqual([]);
    expect(passedIn(run)).toEqual([]);
  });
});
