import { describe, expect, it } from 'vitest';
import { contractRules } from '../../../reference/index.ts';
import type { CredentialProblem, RefusalKind, RouteName } from '../../../reference/index.ts';
import { authChecks as everyAuthChecks } from '../../../suites/auth/index.ts';
import { errorsChecks as everyErrorsChecks } from '../../../suites/errors/index.ts';
import { admitting, answering, findingsOfBroken, refusal, withRules } from '../auth/broken-server.ts';
import type { BrokenServer } from '../auth/broken-server.ts';
import { findingsOf, notPassed, runAgainst } from '../run-suite.ts';
import { withoutOperator } from '../operator-checks.ts';

const authChecks = withoutOperator(everyAuthChecks);
const errorsChecks = withoutOperator(everyErrorsChecks);

const credentials: readonly (readonly [slug: string, problem: CredentialProblem])[] = [
  ['without-a-credential', 'missing'],
  ['without-a-scheme', 'malformed'],
  ['with-another-scheme', 'malformed'],
  ['without-a-token', 'malformed'],
  ['with-an-unknown-token', 'unknown'],
  ['with-an-expired-token', 'expired'],
  ['with-a-revoked-token', 'revoked'],
];

/** A refusal of one kind on one call has another status than the contract's. */
const withStatus = (kind: RefusalKind, route: RouteName, status: number) => () =>
  withRules({
    statusOfRefusal: (met, on) =>
      met === kind && on === route ? status : contractRules.statusOfRefusal(met, on),
  });

const broken: readonly BrokenServer[] = [
  ...credentials.map(([slug, problem]) => ({
    check: `errors.mentions-${slug}-is-${problem === 'revoked' ? 'refused' : '401'}`,
    findings: [
      `errors.mentions-${problem}-credential-is-${problem === 'revoked' ? 'refused' : '401'} failed`,
    ],
    options: () => admitting(problem, 'mentions'),
  })),
  {
    check: 'errors.mentions-with-a-lengthened-token-is-401',
    findings: ['errors.mentions-unknown-credential-is-401 failed'],
    options: () => admitting('unknown', 'mentions'),
  },
  {
    check: 'errors.mentions-without-access-is-403',
    findings: ['errors.mentions-no-access-is-403 failed'],
    options: withStatus('forbidden', 'mentions', 409),
  },
  {
    check: 'errors.body-cut-short-is-refused',
    findings: ['errors.refusals-are-4xx failed'],
    options: withStatus('invalid', 'send', 500),
  },
];

describe('with which status something is refused', () => {
  it('is as the contract says on the reference, by every check', async () => {
    const run = await runAgainst(errorsChecks);
    expect(run.footer.end).toBe('complete');
    expect(notPassed(run)).toEqual([]);
    expect(findingsOf(run)).toEqual([]);
  });

  it('is held by no check that has not been seen to fail', () => {
    expect(broken.map(({ check }) => check).toSorted()).toEqual(errorsChecks.map(({ id }) => id).toSorted());
  });

  it.each(broken)('is found wrong by $check', async (row) => {
    expect(await findingsOfBroken(errorsChecks, row)).toEqual(row.findings);
  });

  it.each(credentials)('is found wrong once when every call forgives: %s', async (slug, problem) => {
    const run = await runAgainst(
      [...authChecks, ...errorsChecks].filter(({ id }) => id.includes(slug)),
      withRules({ admits: (met) => met === problem }),
    );
    expect(findingsOf(run)).toEqual([`auth.${problem}-credential failed`]);
  });

  it('is found wrong once when an agent without access gets in everywhere', async () => {
    const run = await runAgainst(
      [...authChecks, ...errorsChecks].filter(({ id }) => id.includes('access')),
      withRules({ hasWorkspaceAccess: () => true }),
    );
    expect(findingsOf(run)).toEqual(['auth.no-access-is-403 failed']);
  });

  it('may be 401 everywhere for an agent that lost its credential with its access', async () => {
    const run = await runAgainst(
      [...authChecks, ...errorsChecks].filter(({ id }) => id.includes('access')),
      withRules({
        statusOfRefusal: (kind, route) =>
          kind === 'forbidden' ? 401 : contractRules.statusOfRefusal(kind, route),
        challenge: () => 'Bearer',
      }),
    );
    expect(run.findings.filter(({ clause }) => clause !== 'auth.www-authenticate')).toEqual([]);
    expect(run.checks.filter(({ verdict }) => verdict === 'passed')).toEqual([]);
  });
});

describe('without a credential', () => {
  const bare = { target: <T extends object>(target: T): T => ({ ...target, roles: {} }) };
  const checks = [...authChecks, ...errorsChecks];

  it('nothing passes and nothing fails on the reference', async () => {
    const run = await runAgainst(checks, {}, bare);
    expect(findingsOf(run)).toEqual([]);
    expect(run.checks.filter(({ verdict }) => verdict === 'passed')).toEqual([]);
    expect(run.footer.exitCode).toBe(3);
  });

  it('a server that lets everybody in is found out', async () => {
    const run = await runAgainst(checks, withRules({ admits: (problem) => problem === 'missing' }), bare);
    expect(findingsOf(run)).toEqual(['auth.missing-credential failed']);
    expect(run.footer.exitCode).toBe(1);
  });

  it('a 401 that names no scheme is found out', async () => {
    const run = await runAgainst(checks, withRules({ challenge: () => null }), bare);
    expect(findingsOf(run)).toEqual(['auth.www-authenticate failed']);
    expect(run.footer.exitCode).toBe(1);
  });

  it.each([
    ['404', refusal(404)],
    ['a web page', { status: 200, headers: { 'content-type': 'text/html' }, body: Buffer.from('<html>') }],
  ])('a server that may be another one convicts nobody by %s', async (_, answer) => {
    const run = await runAgainst(
      checks,
      answering(() => true, answer),
      bare,
    );
    expect(run.findings.filter(({ clause }) => clause.startsWith('auth.m'))).toEqual([]);
    expect(run.checks.filter(({ verdict }) => verdict === 'passed')).toEqual([]);
  });
});
