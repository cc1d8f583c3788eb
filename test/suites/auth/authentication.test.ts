import { describe, expect, it } from 'vitest';
import type { AnsweredRequest, CredentialProblem, RouteName } from '../../../reference/index.ts';
import { contractRules } from '../../../reference/index.ts';
import { authChecks as everyAuthChecks } from '../../../suites/auth/index.ts';
import { errorsChecks as everyErrorsChecks } from '../../../suites/errors/index.ts';
import { findingsOf, notPassed, runAgainst } from '../run-suite.ts';
import type { ReferenceOptions } from '../run-suite.ts';
import {
  admitting,
  answering,
  findingsOfBroken,
  fromTime,
  refusal,
  success,
  withRules,
} from './broken-server.ts';
import type { BrokenServer } from './broken-server.ts';
import { withoutOperator } from '../operator-checks.ts';

const authChecks = withoutOperator(everyAuthChecks);
const errorsChecks = withoutOperator(everyErrorsChecks);

const routeOf: Readonly<Record<string, RouteName>> = {
  mentions: 'mentions',
  'channels-list': 'channels',
  'channel-read': 'read',
  send: 'send',
  'receipts-list': 'receipts',
  overview: 'overview',
};

const problems: readonly (readonly [slug: string, problem: CredentialProblem, clause: string])[] = [
  ['without-a-credential', 'missing', 'auth.missing-credential'],
  ['without-a-scheme', 'malformed', 'auth.malformed-credential'],
  ['with-another-scheme', 'malformed', 'auth.malformed-credential'],
  ['without-a-token', 'malformed', 'auth.malformed-credential'],
  ['with-an-unknown-token', 'unknown', 'auth.unknown-credential'],
  ['with-a-lengthened-token', 'unknown', 'auth.unknown-credential'],
  ['with-an-expired-token', 'expired', 'auth.expired-credential'],
  ['with-a-revoked-token', 'revoked', 'auth.revoked-credential'],
];

const admitted: readonly BrokenServer[] = problems.flatMap(([slug, problem, clause]) =>
  ['channels-list', 'channel-read', 'send', 'receipts-list', 'overview']
    .filter((call) => call !== 'overview' || (problem !== 'expired' && problem !== 'revoked'))
    .map((call) => ({
      check: `auth.${call}-${slug}-is-${problem === 'revoked' || problem === 'malformed' ? 'refused' : '401'}`,
      findings: [`${clause} failed`],
      options: () => admitting(problem, routeOf[call] ?? 'mentions'),
    })),
);

/** Requests of a call as the checks compose them; a channel is also walked with a larger limit. */
const isCall =
  (call: string) =>
  ({ route, query }: AnsweredRequest): boolean =>
    route === routeOf[call] && (call !== 'channel-read' || query['limit'] === '1');

const isAgent = ({ actor }: AnsweredRequest): boolean =>
  actor?.agentId !== null && actor?.agentId !== undefined;
const isMachine = ({ actor }: AnsweredRequest): boolean =>
  actor?.machineId !== null && actor?.machineId !== undefined;

const shutOut: readonly BrokenServer[] = [
  'mentions',
  'channels-list',
  'channel-read',
  'send',
  'receipts-list',
].flatMap((call) => {
  // Preflight asks these two as every agent, before any check does: five mentions, one read.
  const spared = { mentions: 6, 'channel-read': 2 }[call] ?? 1;
  const shut = () =>
    answering(
      fromTime(spared, (request) => isCall(call)(request) && isAgent(request)),
      refusal(401),
    );
  return [
    { check: `auth.agent-token-opens-${call}`, findings: ['auth.bearer-accepted failed'], options: shut },
    { check: `auth.api-key-opens-${call}`, findings: ['auth.api-key-accepted failed'], options: shut },
  ];
});

const wrongSurface: readonly BrokenServer[] = [
  ...['mentions', 'channels-list', 'channel-read', 'send', 'receipts-list'].map((call) => ({
    check: `auth.machine-token-does-not-open-${call}`,
    findings: ['auth.machine-token-refused-on-agent-surface failed'],
    options: () => ({
      ...withRules({ opensSurface: () => true }),
      ...answering(
        (request) => request.route === routeOf[call] && isMachine(request) && !isAgent(request),
        success,
      ),
    }),
  })),
  ...['author', 'api-key'].map((role) => ({
    check: `auth.${role}-does-not-open-the-overview`,
    findings: ['overview.requires-a-machine-token failed'],
    options: () => ({
      ...withRules({ opensSurface: () => true }),
      ...answering((request) => request.route === 'overview' && isAgent(request), success),
    }),
  })),
];

const noAccess: readonly BrokenServer[] = ['channel-read', 'send'].flatMap((call) => [
  ...(
    [
      [400, 'auth.no-access-is-403 failed'],
      [404, 'auth.no-access-is-not-hidden warned'],
    ] as const
  ).map(([status, finding]) => ({
    check: `auth.no-access-to-${call}-is-403`,
    findings: [finding],
    options: () =>
      withRules({
        statusOfRefusal: (kind, route) =>
          kind === 'forbidden' && route === routeOf[call]
            ? status
            : contractRules.statusOfRefusal(kind, route),
      }),
  })),
  {
    check: `auth.another-workspace-has-no-${call}`,
    findings: ['auth.other-workspace-refused failed'],
    options: () => withRules({ mayUseChannel: () => true }),
  },
]);

const lockedOut: BrokenServer = {
  check: 'auth.good-credential-works-after-wrong-ones',
  findings: ['auth.bearer-accepted failed'],
  options: () => {
    let isLocked = false;
    return answering((request) => {
      const wasLocked = isLocked;
      isLocked ||= request.route === 'channels' && request.headers['authorization'] === undefined;
      return wasLocked && isCall('channels-list')(request);
    }, refusal(401));
  },
};

const broken: readonly BrokenServer[] = [...admitted, ...shutOut, ...wrongSurface, ...noAccess, lockedOut];

describe('who gets in where', () => {
  it('is as the contract says on the reference, by every check', async () => {
    const run = await runAgainst(authChecks);
    expect(run.footer.end).toBe('complete');
    expect(notPassed(run)).toEqual([]);
    expect(findingsOf(run)).toEqual([]);
  });

  it('is held by no check that has not been seen to fail', () => {
    expect([...new Set(broken.map(({ check }) => check))].toSorted()).toEqual(
      authChecks.map(({ id }) => id).toSorted(),
    );
  });

  it.each(broken)('is found wrong by $check', async (row) => {
    expect(await findingsOfBroken(authChecks, row)).toEqual(row.findings);
  });

  it('warns of a revoked credential that is answered with 403, wherever it is used', async () => {
    const run = await runAgainst(
      [...authChecks, ...errorsChecks].filter(({ id }) => id.includes('revoked')),
      withRules({
        kindOfCredentialProblem: (problem) => (problem === 'revoked' ? 'forbidden' : 'unauthenticated'),
      }),
    );
    expect(findingsOf(run)).toEqual([
      'auth.revoked-is-401 warned',
      'errors.mentions-revoked-credential-is-401 warned',
    ]);
  });

  it.each<{ name: string; options: ReferenceOptions }>([
    {
      name: 'take the scheme in one spelling only',
      options: withRules({ bearerToken: (header) => /^Bearer ([^ ]+)$/.exec(header)?.[1] }),
    },
    {
      name: 'refuse a credential of the other surface with 403',
      options: {
        ...withRules({ opensSurface: () => true }),
        ...answering(
          (request) => (request.route === 'overview' ? isAgent(request) : isMachine(request)),
          refusal(403),
        ),
      },
    },
    { name: 'acknowledge a send with 202', options: withRules({ statusOfSend: () => 202 }) },
    {
      name: 'call a malformed credential a bad request, and take a token without a scheme',
      options: withRules({
        bearerToken: (header) =>
          contractRules.bearerToken(header) ?? contractRules.bearerToken(`Bearer ${header}`),
        kindOfCredentialProblem: (problem, route) =>
          problem === 'malformed' && route !== 'mentions' ? 'invalid' : 'unauthenticated',
      }),
    },
    {
      name: 'want a parameter for the receipts',
      options: answering(({ route, actor }) => route === 'receipts' && actor !== null, refusal(400)),
    },
  ])('may $name', async ({ options }) => {
    const run = await runAgainst(authChecks, options);
    expect(run.footer.end).toBe('complete');
    expect(findingsOf(run)).toEqual([]);
  });
});
