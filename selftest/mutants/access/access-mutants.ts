import type { ClauseId } from '../../../spec/index.ts';
import type { Credential } from '../../../reference/model/principals.ts';
import type { CredentialProblem, RefusalKind } from '../../../reference/model/refusal.ts';
import type { RouteName } from '../../../reference/model/routes.ts';
import { contractRules, type Rules } from '../../../reference/rules/rules.ts';
import { jsonAnswer } from '../../../reference/model/answer.ts';
import { also, only, refusedWith } from '../base/changed-rules.ts';
import { latestRestart } from '../base/latest-restart.ts';
import { breaking, mutant, refusing, what, type Mutant } from '../base/mutant.ts';
import { documentedRoutes, refusal, spoilRefusals, spoilSuccess } from '../base/spoil-answer.ts';

/** Ways in which a credential can be no good, and the clauses that speak of each: everywhere, and on mentions. */
const problems: readonly (readonly [CredentialProblem, string, ClauseId, ClauseId])[] = [
  ['missing', 'a missing credential', 'auth.missing-credential', 'errors.mentions-missing-credential-is-401'],
  [
    'malformed',
    'a header that is no bearer credential',
    'auth.malformed-credential',
    'errors.mentions-malformed-credential-is-401',
  ],
  [
    'unknown',
    'a credential that was never issued',
    'auth.unknown-credential',
    'errors.mentions-unknown-credential-is-401',
  ],
  [
    'expired',
    'an expired credential',
    'auth.expired-credential',
    'errors.mentions-expired-credential-is-401',
  ],
  [
    'revoked',
    'a revoked credential',
    'auth.revoked-credential',
    'errors.mentions-revoked-credential-is-refused',
  ],
];

/** One call lets a bad credential in, or refuses it with another status. */
const credentialMutants: readonly Mutant[] = problems.flatMap(([problem, name, clause, ofMentions]) => [
  ...documentedRoutes
    // Whose machine a token is that was never a machine's cannot be told, nor which agent an unknown one.
    .filter(
      (route) =>
        route !== 'overview' || problem === 'missing' || problem === 'unknown' || problem === 'malformed',
    )
    .map((route) =>
      mutant(
        `${route}-admits-${problem}`,
        route === 'mentions' ? ofMentions : clause,
        `${name} opens ${route}`,
        {
          rules: { admits: (each, of) => each === problem && of === route },
        },
      ),
    ),
  ...(['forbidden', 'invalid', 'not-found'] as const)
    // What is malformed may be a bad request.
    .filter((kind) => problem !== 'malformed' || kind !== 'invalid')
    .map((kind) =>
      mutant(
        `${problem}-is-${kind}`,
        isKnown(problem, kind) ? 'auth.revoked-is-401' : clause,
        `${name} is called ${kind} outside mentions`,
        {
          rules: {
            kindOfCredentialProblem: (each, route) =>
              each === problem && route !== 'mentions' ? kind : 'unauthenticated',
          },
        },
      ),
    ),
  ...(['forbidden', 'invalid'] as const).map((kind) => {
    const broken = isKnown(problem, kind) ? 'errors.mentions-revoked-credential-is-401' : ofMentions;
    return mutant(`mentions-${problem}-is-${kind}`, broken, `mentions call ${name} ${kind}`, {
      rules: {
        kindOfCredentialProblem: (each, route) =>
          each === problem && route === 'mentions' ? kind : 'unauthenticated',
      },
    });
  }),
]);

/** Whether a credential is taken for that of somebody who is known and may do nothing: of a revoked one that is only inferred to be wrong. */
function isKnown(problem: CredentialProblem, kind: RefusalKind): boolean {
  return problem === 'revoked' && kind === 'forbidden';
}

/** A 401 without its challenge: anywhere, or in one case only. */
const challengeMutants: readonly Mutant[] = [
  ...breaking({
    'auth.www-authenticate': {
      'no-challenge': what('a 401 comes without a challenge', { challenge: () => null }),
      'no-challenge-without-a-credential': what('only a bad credential is challenged', {
        challenge: (problem) => (problem === 'missing' ? null : contractRules.challenge(problem)),
      }),
      'no-challenge-to-a-bad-credential': what('only a missing credential is challenged', {
        challenge: (problem) => (problem === 'missing' ? contractRules.challenge(problem) : null),
      }),
    },
  }),
  ...documentedRoutes.map(withoutChallenge),
];

function withoutChallenge(route: RouteName): Mutant {
  return mutant(
    `no-challenge-of-${route}`,
    'auth.www-authenticate',
    `a 401 of ${route} comes without a challenge`,
    {
      answer: spoilRefusals(
        ({ headers, ...answer }) => {
          const { 'www-authenticate': _left, ...rest } = headers;
          return { ...answer, headers: rest };
        },
        [route],
      ),
    },
  );
}

/** Credentials of one surface on the other, and credentials whose time is over while they are in use. */
const lifeMutants: readonly Mutant[] = [
  ...breaking({
    'auth.unknown-credential': {
      'any-token-prefix': what('what follows a valid token is not looked at', {
        bearerToken: (header) => contractRules.bearerToken(header)?.slice(0, knownTokenLength(header)),
      }),
      'long-tokens-are-500': what('a token of more than 300 characters draws an error of the server', {
        answer: spoilRefusals((answer, { headers }) =>
          String(headers['authorization']).length > 300 ? { ...answer, status: 500 } : answer,
        ),
      }),
    },
    'auth.respelled-credential': {
      'words-behind-a-token-do-not-count': what(
        'the second word of the header is the token, whatever follows',
        {
          bearerToken: (header) => /^bearer +(\S+)/i.exec(header)?.[1],
        },
      ),
    },
    'auth.malformed-credential': {
      'token-scheme': { bearerToken: (header) => /^(?:Token|Bearer) +(\S+)$/.exec(header)?.[1] },
      'a-user-name-is-a-token': what('the user name of basic authentication is taken for a token', {
        bearerToken: (header) =>
          contractRules.bearerToken(header) ??
          Buffer.from(/^Basic +(\S+)$/.exec(header)?.[1] ?? '', 'base64')
            .toString()
            .split(':')[0],
      }),
      'any-scheme': { bearerToken: (header) => /^\S+ +(\S+)$/.exec(header)?.[1] },
    },
    'auth.expired-credential': {
      'expiry-has-a-week-of-grace': what('a credential works for a week after its expiry', {
        isExpired: (credential, nowMs) =>
          contractRules.isExpired(credential, nowMs - 7 * 24 * 60 * 60 * 1000),
      }),
    },
    'overview.requires-a-machine-token': {
      'agents-open-the-overview': what('an agent speaks for the machine it runs on', {
        opensSurface: (credential, surface) =>
          surface === 'machine' || contractRules.opensSurface(credential, surface),
        machineBehind: (credential, machineOfAgent) => credential.machineId ?? machineOfAgent(),
      }),
      'api-keys-open-the-overview': what('an API key speaks for the machine that was seen last', () => {
        let seen: string | null = null;
        return {
          opensSurface: (credential, surface) =>
            (surface === 'machine' && credential.kind === 'api_key') ||
            contractRules.opensSurface(credential, surface),
          machineBehind: ({ machineId }) => (seen = machineId ?? seen),
        };
      }),
    },
    'auth.machine-token-refused-on-agent-surface': {
      'machines-open-mentions': what('a machine speaks for its agent', {
        opensSurface: (credential, surface) =>
          surface === 'agent' || contractRules.opensSurface(credential, surface),
        agentBehind: (credential, agentOfMachine) => credential.agentId ?? agentOfMachine(),
      }),
    },
    'auth.machine-lifecycle': {
      'machine-lives-on': { isMachineAlive: () => true },
      'machines-are-active-after-a-restart': () => {
        const restart = latestRestart();
        return {
          lostAtRestart: restart.note,
          isMachineAlive: ({ isActive }) => isActive || restart.atMs() > 0,
        };
      },
    },
    'auth.machine-membership': {
      'membership-is-not-looked-at': { isLinkedMembershipActive: () => true },
      'a-rename-lets-everybody-in': () => {
        let isRenamed = false;
        return {
          renamesMember: () => (isRenamed = true),
          isLinkedMembershipActive: (membership) =>
            isRenamed || contractRules.isLinkedMembershipActive(membership),
        };
      },
      'membership-is-not-looked-at-after-a-restart': () => {
        const restart = latestRestart();
        return {
          lostAtRestart: restart.note,
          isLinkedMembershipActive: (membership) =>
            contractRules.isLinkedMembershipActive(membership) || restart.atMs() > 0,
        };
      },
    },
    'auth.no-access-is-403': {
      'no-access-is-401': refusedWith(401, 'forbidden', { notOn: ['mentions', 'overview'] }),
      'no-access-is-400': refusedWith(400, 'forbidden', { on: ['send', 'read'] }),
    },
    'auth.no-access-is-not-hidden': {
      'no-access-is-404': refusedWith(404, 'forbidden', { on: ['send', 'read'] }),
    },
    'errors.mentions-no-access-is-403': {
      'no-access-to-mentions-is-401': refusedWith(401, 'forbidden', { on: ['mentions'] }),
      'no-access-to-mentions-is-400': refusedWith(400, 'forbidden', { on: ['mentions'] }),
    },
    'auth.other-workspace-refused': {
      'foreign-agents-use-channels': what('any agent may use any channel', { mayUseChannel: () => true }),
      'foreign-agents-read': also('mayUseChannel', (_channel, route) => route === 'read'),
      'foreign-agents-send': also('mayUseChannel', (_channel, route) => route === 'send'),
    },
    'mentions.membership-rechecked': {
      'access-is-looked-up-once': { hasWorkspaceAccess: ({ atFirstUse }) => atFirstUse },
      'restart-gives-access-back': what('who lost its access before a restart has it again after it', () => {
        const restart = latestRestart();
        return {
          lostAtRestart: restart.note,
          hasWorkspaceAccess: ({ now, atFirstUse }) => now || (restart.atMs() > 0 && atFirstUse),
        };
      }),
      'refusals-are-remembered': what('who was refused is refused for ten seconds more', () => {
        const untilMs = new Map<string, number>();
        return {
          hasWorkspaceAccess: ({ now }, { authorization = '' }) => {
            if (!now) untilMs.set(authorization, Date.now() + 10_000);
            return now && Date.now() > (untilMs.get(authorization) ?? 0);
          },
        };
      }),
    },
    'auth.agents-of-a-human-leave-together': {
      'agents-without-a-machine-outlast-their-human': {
        leavesWithItsHuman: ({ machineId }) => machineId !== null,
      },
      'sends-outlast-the-membership-of-a-human': {
        leavesWithItsHuman: (_agent, route) => route !== 'send',
      },
    },
    'auth.revoked-while-in-use': {
      'revocation-is-looked-up-once': what('a token that once worked is not looked at again', () => ({
        isRevoked: firstAnswer((credential) => credential.isRevoked),
      })),
      'restart-forgets-what-was-revoked': what('what was revoked is good again after a restart', () => {
        const restart = latestRestart();
        return {
          lostAtRestart: restart.note,
          isRevoked: ({ isRevoked }) => isRevoked && restart.atMs() === 0,
        };
      }),
    },
    'auth.expires-while-in-use': {
      'expiry-is-looked-up-once': what(
        'the expiry of a token that once worked is not looked at again',
        () => ({ isExpired: firstAnswer((credential) => contractRules.isExpired(credential, Date.now())) }),
      ),
      'restart-renews-agent-tokens': what(
        'an agent token that expired before a restart is good after it',
        () => renewedAtRestart('agent'),
      ),
    },
    'auth.api-key-expires': {
      'restart-renews-api-keys': what('an API key that expired before a restart is good after it', () =>
        renewedAtRestart('api_key'),
      ),
    },
    'auth.others-stay-valid': {
      'all-of-an-agent-is-revoked': what(
        'with a credential that is revoked after its expiry its agent is shut out',
        () => {
          const shutOut = new Set<string>();
          return {
            isRevoked: ({ agentId, expiresAtMs, isRevoked }) => {
              if (isRevoked && expiresAtMs !== null && agentId !== null) shutOut.add(agentId);
              return isRevoked || shutOut.has(agentId ?? '');
            },
          };
        },
      ),
    },
    'auth.bearer-accepted': {
      'a-mistake-spends-the-token': () => {
        const spent = new Set<string>();
        return {
          bearerToken: (header) => {
            const token = contractRules.bearerToken(header);
            if (token === undefined) for (const word of header.split(' ')) spent.add(word);
            return token === undefined || spent.has(token) ? undefined : token;
          },
        };
      },
    },
  }),
  ...(['send', 'mentions', 'read', 'channels', 'receipts'] as const).map((route) =>
    mutant(
      `api-key-refused-by-${route}`,
      'auth.api-key-accepted',
      `an API key does not open ${route}`,
      () => {
        const keys = new Set<string>();
        return {
          rules: {
            isRevoked: (credential) => {
              if (credential.kind === 'api_key') keys.add(credential.agentId ?? '');
              return credential.isRevoked;
            },
          },
          answer: spoilSuccess(route, (answer, { actor }) =>
            keys.has(actor?.agentId ?? '') ? unauthenticatedAnswer() : answer,
          ),
        };
      },
    ),
  ),
  ...(['send', 'mentions', 'read', 'channels', 'receipts'] as const).map((route) =>
    mutant(`agent-token-refused-by-${route}`, 'auth.bearer-accepted', `agent tokens do not open ${route}`, {
      answer: spoilSuccess(route, unauthenticatedAnswer),
    }),
  ),
  ...breaking({
    'auth.api-key-accepted': { 'no-api-keys': only('opensSurface', ({ kind }) => kind !== 'api_key') },
  }).map((made) => refusing('api-key', made)),
  ...breaking({
    'auth.api-key-accepted': {
      'an-api-key-reads-no-further': what('an API key is forbidden to read from a cursor on', {
        answer: (answer, { query: { after }, headers: { authorization } }) =>
          Number(after) > 0 && /^bearer +key_/i.test(String(authorization)) ? refusal(403) : answer,
      }),
    },
  }),
  ...(['health', 'capabilities'] as const).map((route) =>
    mutant(
      `${route}-wants-a-credential`,
      'discovery.needs-no-credential',
      `${route} is told only to somebody known`,
      {
        answer: spoilSuccess(route, (answer, { headers }) =>
          headers['authorization'] === undefined ? unauthenticatedAnswer() : answer,
        ),
      },
    ),
  ),
];

export const accessMutants: readonly Mutant[] = [...credentialMutants, ...challengeMutants, ...lifeMutants];

/** Tokens of the reference: a word, an underscore and 32 characters. */
function knownTokenLength(header: string): number {
  return (contractRules.bearerToken(header)?.indexOf('_') ?? 0) + 33;
}

/** Remembers the first answer for each token. */
function firstAnswer(ask: (credential: Credential) => boolean): (credential: Credential) => boolean {
  const known = new Map<string, boolean>();
  return (credential) => {
    const answer = known.get(credential.token) ?? ask(credential);
    known.set(credential.token, answer);
    return answer;
  };
}

function unauthenticatedAnswer(): ReturnType<typeof jsonAnswer> {
  return jsonAnswer(
    401,
    { error: { code: 'unauthenticated', message: 'the credential is no good here' } },
    { 'www-authenticate': 'Bearer' },
  );
}

/** Credentials of a kind expire, and those that had before a restart are good after it. */
function renewedAtRestart(kind: Credential['kind']): Partial<Rules> {
  const restart = latestRestart();
  return {
    lostAtRestart: restart.note,
    isExpired: (credential, nowMs) =>
      contractRules.isExpired(credential, nowMs) &&
      (credential.kind !== kind || Number(credential.expiresAtMs) > restart.atMs()),
  };
}
