import { type Answer, jsonAnswer } from '../../../reference/model/answer.ts';
import type { Credential } from '../../../reference/model/principals.ts';
import type { CredentialProblem, RefusalKind } from '../../../reference/model/refusal.ts';
import type { RouteName } from '../../../reference/model/routes.ts';
import { contractRules, type Rules } from '../../../reference/rules/rules.ts';
import { also, only, refusedWith, replacing, sinceRestart } from '../base/changed-rules.ts';
import { breaking, mutant, refusing, type Mutant } from '../base/mutant.ts';
import {
  documentedRoutes,
  objectOf,
  refusal,
  refusalAs,
  spoilRefusals,
  spoilSuccess,
  unauthenticated,
  withoutHeader,
} from '../base/spoil-answer.ts';

/** Ways in which a credential can be no good. */
const problems = [
  ['missing', 'a missing credential'],
  ['malformed', 'a header that is no bearer credential'],
  ['unknown', 'a credential that was never issued'],
  ['expired', 'an expired credential'],
  ['revoked', 'a revoked credential'],
] as const;

/** One call lets a bad credential in, or refuses it with another status. */
const credentialMutants: readonly Mutant[] = problems.flatMap(([problem, name]) => {
  const clause = `auth.${problem}-credential` as const;
  const ofMentions =
    problem === 'revoked'
      ? 'errors.mentions-revoked-credential-is-refused'
      : (`errors.mentions-${problem}-credential-is-401` as const);
  // Of somebody who is known and may do nothing a revoked credential is only inferred to be no good.
  const isKnown = (kind: RefusalKind): boolean => problem === 'revoked' && kind === 'forbidden';
  return [
    ...documentedRoutes
      // Whose machine a token is that was never a machine's cannot be told, nor which agent an unknown one.
      .filter((route) => route !== 'overview' || (problem !== 'expired' && problem !== 'revoked'))
      .map((route) =>
        mutant(
          `${route}-admits-${problem}`,
          route === 'mentions' ? ofMentions : clause,
          `${name} opens ${route}`,
          { admits: (each, of) => each === problem && of === route },
        ),
      ),
    ...(['forbidden', 'invalid', 'not-found'] as const)
      // What is malformed may be a bad request.
      .filter((kind) => problem !== 'malformed' || kind !== 'invalid')
      .map((kind) =>
        mutant(
          `${problem}-is-${kind}`,
          isKnown(kind) ? 'auth.revoked-is-401' : clause,
          `${name} is called ${kind} outside mentions`,
          calling(problem, kind, (route) => route !== 'mentions'),
        ),
      ),
    ...(['forbidden', 'invalid'] as const).map((kind) =>
      mutant(
        `mentions-${problem}-is-${kind}`,
        isKnown(kind) ? 'errors.mentions-revoked-credential-is-401' : ofMentions,
        `mentions call ${name} ${kind}`,
        calling(problem, kind, (route) => route === 'mentions'),
      ),
    ),
  ];
});

/** A credential that is no good is refused as something else. */
function calling(
  problem: CredentialProblem,
  kind: RefusalKind,
  isMeant: (route: RouteName | null) => boolean,
): Partial<Rules> {
  return {
    kindOfCredentialProblem: (each, route) => (each === problem && isMeant(route) ? kind : 'unauthenticated'),
  };
}

/** A 401 without its challenge: anywhere, or in one case only. */
const challengeMutants: readonly Mutant[] = [
  ...breaking({
    'auth.www-authenticate': replacing('challenge', {
      'no-challenge: a 401 comes without a challenge': () => null,
      'no-challenge-without-a-credential: only a bad credential is challenged': (problem) =>
        problem === 'missing' ? null : contractRules.challenge(problem),
      'no-challenge-to-a-bad-credential: only a missing credential is challenged': (problem) =>
        problem === 'missing' ? contractRules.challenge(problem) : null,
    }),
  }),
  ...documentedRoutes.map((route) =>
    mutant(
      `no-challenge-of-${route}`,
      'auth.www-authenticate',
      `a 401 of ${route} comes without a challenge`,
      spoilRefusals(withoutHeader('www-authenticate'), [route]),
    ),
  ),
];

/** Credentials of one surface on the other, and credentials whose time is over while they are in use. */
const lifeMutants: readonly Mutant[] = [
  ...breaking({
    'auth.unknown-credential': {
      'any-token-prefix: what follows a valid token is not looked at': {
        bearerToken: (header) => contractRules.bearerToken(header)?.slice(0, knownTokenLength(header)),
      },
      'long-tokens-are-500: a token of more than 300 characters draws an error of the server': refusalAs(
        500,
        ({ headers }) => String(headers['authorization']).length > 300,
      ),
    },
    'auth.respelled-credential': {
      'words-behind-a-token-do-not-count: the second word of the header is the token, whatever follows':
        tokenIn(/^bearer +(\S+)/i),
      'tokens-are-looked-for-by-a-pattern: an underscore in a token stands for any character': {
        tokenMeant: (token, { tokens }) =>
          tokens().find((issued) => issued === token) ??
          tokens().find((issued) => isPatternOf(token, issued)) ??
          token,
      },
    },
    'auth.malformed-credential': {
      'token-scheme': tokenIn(/^(?:Token|Bearer) +(\S+)$/),
      'a-user-name-is-a-token: the user name of basic authentication is taken for a token': {
        bearerToken: (header) =>
          contractRules.bearerToken(header) ??
          Buffer.from(/^Basic +(\S+)$/.exec(header)?.[1] ?? '', 'base64')
            .toString()
            .split(':')[0],
      },
      'a-password-is-a-token: the password of basic authentication is taken for a token': {
        bearerToken: (header) =>
          contractRules.bearerToken(header) ??
          Buffer.from(/^Basic +(\S+)$/.exec(header)?.[1] ?? '', 'base64')
            .toString()
            .split(':')[1],
      },
      'any-scheme': tokenIn(/^\S+ +(\S+)$/),
    },
    'auth.expired-credential': {
      'expiry-has-a-week-of-grace: a credential works for a week after its expiry': {
        isExpired: (credential, nowMs) =>
          contractRules.isExpired(credential, nowMs - 7 * 24 * 60 * 60 * 1000),
      },
    },
    'overview.requires-a-machine-token': {
      'agents-open-the-overview: an agent speaks for the machine it runs on': {
        ...also('opensSurface', (_credential, surface) => surface === 'machine'),
        machineBehind: (credential, machineOfAgent) => credential.machineId ?? machineOfAgent(),
      },
      'agents-of-owners-open-the-overview: an agent whose human is an owner speaks for the machine it runs on':
        {
          rules: {
            ...also('opensSurface', (_credential, surface) => surface === 'machine'),
            machineBehind: (credential, machineOfAgent) => credential.machineId ?? machineOfAgent(),
          },
          ...spoilSuccess('overview', (answer, { headers: { authorization } }) =>
            /^bearer +machine_/i.test(String(authorization)) ||
            objectOf(objectOf(answer.body)['membership'])['role'] === 'owner'
              ? answer
              : refusal(403),
          ),
        },
      'api-keys-open-the-overview: an API key speaks for the machine that was seen last': () => {
        let seen: string | null = null;
        return {
          ...also('opensSurface', ({ kind }, surface) => surface === 'machine' && kind === 'api_key'),
          machineBehind: ({ machineId }) => (seen = machineId ?? seen),
        };
      },
    },
    'auth.machine-token-refused-on-agent-surface': {
      'machines-open-mentions: a machine speaks for its agent': {
        ...also('opensSurface', (_credential, surface) => surface === 'agent'),
        agentBehind: (credential, agentOfMachine) => credential.agentId ?? agentOfMachine(),
      },
    },
    'auth.machine-lifecycle': {
      'machine-lives-on': { isMachineAlive: () => true },
      'machines-are-active-after-a-restart': sinceRestart((restartedMs) => ({
        isMachineAlive: ({ isActive }) => isActive || restartedMs() > 0,
      })),
    },
    'auth.machine-membership': {
      'a-membership-of-any-workspace-counts: the human of a machine has to be a member of some workspace': {
        isLinkedMembershipActive: (_membership, homes = () => []) => homes().length > 0,
      },
      'membership-is-not-looked-at': { isLinkedMembershipActive: () => true },
      'a-rename-lets-everybody-in': () => {
        let isRenamed = false;
        return {
          renamesMember: () => (isRenamed = true),
          ...also('isLinkedMembershipActive', () => isRenamed),
        };
      },
      'membership-is-not-looked-at-after-a-restart': sinceRestart((restartedMs) =>
        also('isLinkedMembershipActive', () => restartedMs() > 0),
      ),
    },
    'auth.no-access-is-403': {
      'no-access-is-401': refusedWith(401, 'forbidden', { notOn: ['mentions', 'overview'] }),
      'no-access-is-400': refusedWith(400, 'forbidden', { on: ['send', 'read'] }),
      'restart-gives-channels-back: who lost its access before a restart reads and sends again after it':
        sinceRestart((restartedMs) => ({
          hasWorkspaceAccess: ({ now, atFirstUse }, { route }) =>
            now || (restartedMs() > 0 && atFirstUse && (route === 'read' || route === 'send')),
        })),
      'access-of-workspace-keys-is-not-looked-up-in-channels: the agent of a workspace key reads and sends, with access or without':
        {
          hasWorkspaceAccess: ({ now, agent: { displayName } }, { route }) =>
            now || ((route === 'read' || route === 'send') && displayName === 'Service agent'),
        },
      'a-bare-read-is-answered-from-a-cache: a channel read without any parameter goes on for who lost access':
        {
          hasWorkspaceAccess: ({ now, atFirstUse }, { route, query }) =>
            now || (atFirstUse && route === 'read' && Object.keys(query).length === 0),
        },
      'who-has-no-human-keeps-its-access: access is looked up by the human of an agent, so that one without keeps it':
        {
          hasWorkspaceAccess: ({ now, agent: { humanUserId } }) => now || humanUserId === null,
        },
    },
    'auth.no-access-lists-no-channel': {
      'a-list-lacks-only-the-first-channel-for-strangers: an agent without access is shown all channels but one':
        () => {
          let known: readonly unknown[] = [];
          return {
            answer: (answer, { route }) => {
              if (route !== 'channels') return undefined;
              if (answer.status === 403) return jsonAnswer(200, { channels: known.slice(1) });
              const channels = objectOf(answer.body)['channels'];
              if (Array.isArray(channels)) known = channels;
              return undefined;
            },
          };
        },
    },
    'auth.no-access-is-not-hidden': {
      'no-access-is-404': refusedWith(404, 'forbidden', { on: ['send', 'read'] }),
    },
    'errors.mentions-no-access-is-403': {
      'no-access-to-mentions-is-401': refusedWith(401, 'forbidden', { on: ['mentions'] }),
      'no-access-to-mentions-is-400': refusedWith(400, 'forbidden', { on: ['mentions'] }),
    },
    'auth.other-workspace-refused': {
      'foreign-agents-use-channels: any agent may use any channel': { mayUseChannel: () => true },
      'foreign-agents-read': also('mayUseChannel', (_channel, route) => route === 'read'),
      'foreigners-without-a-human-use-channels: an agent without a human is of every workspace': also(
        'mayUseChannel',
        ({ agent }) => agent.humanUserId === null,
      ),
      'foreigners-without-a-machine-use-channels: an agent without a machine is of every workspace, where it has a human':
        also('mayUseChannel', ({ agent }) => agent.machineId === null && agent.humanUserId !== null),
      'foreign-api-keys-use-channels: an API key opens the channels of every workspace': {
        admits: (problem, _route, { authorization }) =>
          problem === 'other-workspace' && /^bearer +key_/i.test(authorization ?? ''),
      },
      'foreign-agents-send': also('mayUseChannel', (_channel, route) => route === 'send'),
    },
    'mentions.membership-rechecked': {
      'access-is-remembered-by-human: for half a second after an agent was let in, so is every other one of its human':
        () => {
          const letIn = new Map<string | null, number>();
          return {
            hasWorkspaceAccess: ({ now, agent: { humanUserId } }) => {
              if (now) letIn.set(humanUserId, Date.now());
              return now || (humanUserId !== null && Date.now() < (letIn.get(humanUserId) ?? 0) + 500);
            },
          };
        },
      'a-bare-listing-is-an-inbox: mentions that are asked for without any parameter go on for who lost access':
        {
          hasWorkspaceAccess: ({ now, atFirstUse }, { route, query }) =>
            now || (atFirstUse && route === 'mentions' && Object.keys(query).length === 0),
        },
      'access-of-workspace-keys-is-not-looked-up: the agent of a workspace key is let in to its mentions, a member or not':
        {
          hasWorkspaceAccess: ({ now, agent: { displayName } }, { route }) =>
            now || (route === 'mentions' && displayName === 'Service agent'),
        },
      'access-is-looked-up-once': { hasWorkspaceAccess: ({ atFirstUse }) => atFirstUse },
      'restart-gives-access-back: who lost its access before a restart has it again after it': sinceRestart(
        (restartedMs) => ({
          hasWorkspaceAccess: ({ now, atFirstUse }) => now || (restartedMs() > 0 && atFirstUse),
        }),
      ),
      'restart-gives-memberships-back: whose human left before a restart is let in after it': sinceRestart(
        (restartedMs) => ({ leavesWithItsHuman: () => restartedMs() === 0 }),
      ),
      'refusals-are-remembered: who was refused is refused for ten seconds more': () => {
        const untilMs = new Map<string, number>();
        return {
          hasWorkspaceAccess: ({ now }, { authorization = '' }) => {
            if (!now) untilMs.set(authorization, Date.now() + 10_000);
            return now && Date.now() > (untilMs.get(authorization) ?? 0);
          },
        };
      },
      'refusals-are-remembered-for-good: who was refused once is not let in any more': () => {
        const refused = new Set<string>();
        return {
          hasWorkspaceAccess: ({ now }, { authorization = '' }) => {
            if (!now) refused.add(authorization);
            return now && !refused.has(authorization);
          },
        };
      },
    },
    'auth.agents-of-a-human-leave-together': {
      ...replacing('leavesWithItsHuman', {
        'agents-without-a-machine-outlast-their-human': ({ machineId }) => machineId !== null,
        'reads-outlast-the-membership-of-a-human': (_agent, route) => route !== 'read',
        'sends-outlast-the-membership-of-a-human': (_agent, route) => route !== 'send',
      }),
      'mentions-remember-the-membership-of-a-human: it counts for two seconds after an agent was let in':
        () => {
          const untilMs = new Map<string, number>();
          return {
            hasWorkspaceAccess: ({ now, agent: { id, hasAccess } }, { route }) => {
              if (now) untilMs.set(id, Date.now() + 2_000);
              return now || (route === 'mentions' && hasAccess && Date.now() < (untilMs.get(id) ?? 0));
            },
          };
        },
    },
    'auth.revoked-while-in-use': {
      'revocation-is-looked-up-once: a token that once worked is not looked at again': ({ first }) => ({
        isRevoked: ({ token, isRevoked }) => first(token, isRevoked),
      }),
      'restart-forgets-what-was-revoked: what was revoked is good again after a restart': sinceRestart(
        (restartedMs) => ({ isRevoked: ({ isRevoked }) => isRevoked && restartedMs() === 0 }),
      ),
      'restart-forgets-revoked-machine-tokens: a machine token that was revoked is good again after a restart':
        sinceRestart((restartedMs) => ({
          isRevoked: ({ isRevoked, kind }) => isRevoked && (kind !== 'machine' || restartedMs() === 0),
        })),
    },
    'auth.machine-token-expires': {
      'restart-renews-machine-tokens: a machine token that expired before a restart is good after it':
        renewedAtRestart('machine'),
    },
    'auth.expires-while-in-use': {
      'expiry-is-looked-up-once: the expiry of a token that once worked is not looked at again': ({
        first,
      }) => ({
        isExpired: (credential) => first(credential.token, contractRules.isExpired(credential, Date.now())),
      }),
      'time-alone-ends-nothing: a token that was good when it was first used is good until somebody ends it':
        ({ first }) => ({
          isExpired: (credential, nowMs) => {
            const { token, expiresAtMs } = credential;
            const isExpired = contractRules.isExpired(credential, nowMs);
            const known = first(token, { isExpired, expiresAtMs });
            return isExpired && (known.isExpired || known.expiresAtMs !== expiresAtMs);
          },
        }),
      'restart-renews-agent-tokens: an agent token that expired before a restart is good after it':
        renewedAtRestart('agent'),
    },
    'auth.api-key-expires': {
      'restart-renews-api-keys: an API key that expired before a restart is good after it':
        renewedAtRestart('api_key'),
    },
    'auth.others-stay-valid': {
      'all-keys-go-with-one: once an API key is revoked, no key of its workspace opens anything': () => {
        const homes = new Map<string | null, string>();
        const closed = new Set<string | undefined>();
        return {
          isRevoked: ({ agentId, isRevoked, kind }) => {
            if (isRevoked && kind === 'api_key') closed.add(homes.get(agentId));
            return isRevoked;
          },
          hasWorkspaceAccess: ({ now, agent: { id, workspaceId } }, { authorization = '' }) => {
            homes.set(id, workspaceId);
            return now && !(/^bearer +key_/i.test(authorization) && closed.has(workspaceId));
          },
        };
      },
      'all-of-an-agent-is-revoked: with a credential that is revoked after its expiry its agent is shut out':
        () => {
          const shutOut = new Set<string>();
          return {
            isRevoked: ({ agentId, expiresAtMs, isRevoked }) => {
              if (isRevoked && expiresAtMs !== null && agentId !== null) shutOut.add(agentId);
              return isRevoked || shutOut.has(agentId ?? '');
            },
          };
        },
    },
    'auth.bearer-accepted': {
      'no-token-is-known-after-a-restart: for 400 ms after a restart every token is taken for an unknown one':
        sinceRestart((restartedMs) => ({
          tokenMeant: (token) => (Date.now() - restartedMs() < 400 ? '' : token),
        })),
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
  ...(
    ['send', 'mentions', 'read', 'channels', 'receipts', 'file', 'fileContent', 'reportReceipts'] as const
  ).map((route) =>
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
          ...spoilSuccess(route, (answer, { actor }) =>
            keys.has(actor?.agentId ?? '') ? unauthenticatedAnswer() : answer,
          ),
        };
      },
    ),
  ),
  ...(['send', 'mentions', 'read', 'channels', 'receipts'] as const).map((route) =>
    mutant(
      `agent-token-refused-by-${route}`,
      'auth.bearer-accepted',
      `agent tokens do not open ${route}`,
      spoilSuccess(route, unauthenticatedAnswer),
    ),
  ),
  ...breaking({
    'auth.api-key-accepted': { 'no-api-keys': only('opensSurface', ({ kind }) => kind !== 'api_key') },
  }).map((made) => refusing('api-key', made)),
  ...breaking({
    'auth.added-agents-are-let-in': {
      'agents-without-a-machine-are-shut-out: an agent of a human that has no machine gets in nowhere': {
        hasWorkspaceAccess: ({ now, agent }) =>
          now && (agent.humanUserId === null || agent.machineId !== null),
      },
    },
    'auth.api-key-accepted': {
      'api-keys-with-an-expiry-are-refused: an API key for which an expiry was chosen is taken for an expired one':
        {
          isExpired: (credential, nowMs) =>
            contractRules.isExpired(credential, nowMs) ||
            (credential.kind === 'api_key' && credential.expiresAtMs !== null),
        },
      'an-api-key-reads-no-further: an API key is forbidden to read from a cursor on': {
        answer: (answer, { query: { after }, headers: { authorization } }) =>
          Number(after) > 0 && /^bearer +key_/i.test(String(authorization)) ? refusal(403) : answer,
      },
    },
  }),
  ...(['health', 'capabilities'] as const).map((route) =>
    mutant(
      `${route}-wants-a-credential`,
      'discovery.needs-no-credential',
      `${route} is told only to somebody known`,
      spoilSuccess(route, (answer, { headers }) =>
        headers['authorization'] === undefined ? unauthenticatedAnswer() : answer,
      ),
    ),
  ),
];

export const accessMutants: readonly Mutant[] = [...credentialMutants, ...challengeMutants, ...lifeMutants];

/** Tokens of the reference: a word, an underscore and 32 characters. */
function knownTokenLength(header: string): number {
  return (contractRules.bearerToken(header)?.indexOf('_') ?? 0) + 33;
}

function isPatternOf(token: string, issued: string): boolean {
  return (
    token.length === issued.length &&
    token.split('').every((sign, at) => sign === '_' || sign === issued.charAt(at))
  );
}

function tokenIn(header: RegExp): Partial<Rules> {
  return { bearerToken: (text) => header.exec(text)?.[1] };
}

function unauthenticatedAnswer(): Answer {
  return unauthenticated('the credential is no good here');
}

/** Credentials of a kind expire, and those that had before a restart are good after it. */
function renewedAtRestart(kind: Credential['kind']): ReturnType<typeof sinceRestart> {
  return sinceRestart((restartedMs) =>
    only(
      'isExpired',
      (credential) => credential.kind !== kind || Number(credential.expiresAtMs) > restartedMs(),
    ),
  );
}
