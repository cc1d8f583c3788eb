import type { RoleName } from '../../../harness/config/roles.ts';
import type { ClauseId } from '../../../spec/index.ts';
import { clausesOfAbsence } from './absence.ts';
import type { Rule } from './asked-forms.ts';
import { refusalWord } from './closings.ts';
import { formerHolder, statusesOfRevoked, type CredentialKind } from './credential-faults.ts';
import { agentCalls, boundCalls, channelReadCall, mentionsCall, overviewCall } from './guarded-calls.ts';
import type { GuardedCall } from './guarded-calls.ts';

/** How what was open comes to be closed to those who used it. */
export interface Ending {
  /** What follows `auth.` in the id of its check. */
  readonly slug: string;
  readonly title: string;
  /** What ends: the credentials, or what its agent, its machine or its human had. */
  readonly end: 'revoked' | 'expired' | 'access' | 'machine' | 'membership';
  /** Who uses the calls, and as what once it has come; the first is never missing. */
  readonly users: readonly FormerUser[];
  /** What they ask for; a call without a rule only shows when all is as before. */
  readonly calls?: readonly GuardedCall[];
  /** Somebody of the target who was shut out of the mentions in that way before: let in, another clause is broken. */
  readonly precedent?: RoleName;
  /** What others do meanwhile is seen afterwards, and judged by these clauses. */
  readonly meanwhile?: readonly ClauseId[];
  readonly lost: RulesByCall;
  /** What is said of calls that are given back, and as what they are asked for then. */
  readonly regained?: RulesByCall;
  readonly again?: CredentialKind;
}

type Holder = 'author' | 'api-key' | 'machine';

/** A role, and what its credential is once it has ended. */
export interface FormerUser {
  readonly role: Holder;
  readonly kind: CredentialKind;
}

/** What the answers of each call have to be; what is only inferred comes last, as it does not end a check. */
export type RulesByCall = Readonly<Partial<Record<GuardedCall['slug'], readonly Rule[]>>> & {
  readonly others: readonly Rule[];
};

const lostAccess = formerHolder('access-lost', 'as an agent that lost its access');
const ofAccess: Pick<Ending, 'end' | 'users' | 'again'> = {
  end: 'access',
  users: [{ role: 'author', kind: { ...lostAccess, mayDoNothing: true } }],
  again: formerHolder('access-regained', 'as an agent that has its access again'),
};

const noAccess: Rule = ['auth.no-access-is-403', 'refused'];

const wordsOf: Readonly<Record<Holder, string>> = {
  author: 'a credential',
  'api-key': 'an API key',
  machine: 'a machine token',
};

/** Each way in which credentials that worked no longer do. */
export const endings: readonly Ending[] = [
  ofTokens(
    'revoked',
    ['author', 'api-key', 'machine'],
    [
      ['auth.revoked-while-in-use', statusesOfRevoked],
      ['auth.revoked-is-401', [401]],
    ],
  ),
  ofTokens('expired', ['author'], [['auth.expires-while-in-use', [401]]]),
  ofTokens('expired', ['api-key'], [['auth.api-key-expires', [401]]]),
  ofTokens('expired', ['machine'], [['auth.machine-token-expires', [401]]]),
  {
    ...ofAccess,
    slug: 'access-is-checked-each-time',
    title: 'every call is closed to an agent once it lost its access, and open when it has it again',
    // Whether one that lost its access still authenticates is the server's choice.
    lost: {
      mentions: [],
      others: [['auth.no-access-is-403', [401, 403, 404]]],
      'channels-list': [['auth.no-access-lists-no-channel', 'unlisted']],
      // With which status a call refuses that the contract does not show is open.
      file: [noAccess],
      'file-content': [noAccess],
      report: [noAccess],
    },
    // Whether a retrieval can be reported twice is not said.
    regained: { mentions: [], report: [], others: [['auth.access-comes-back', 'accepted']] },
  },
  {
    ...ofAccess,
    slug: 'access-to-mentions-is-checked-each-time',
    title: 'the mentions of an agent are closed to it once it lost its access, and open when it has it again',
    calls: [mentionsCall, channelReadCall],
    precedent: 'outsider',
    meanwhile: clausesOfAbsence,
    lost: { mentions: [['mentions.membership-rechecked', [401, 403]]], others: [] },
    regained: { mentions: [['mentions.membership-rechecked', 'accepted']], others: [] },
  },
  {
    slug: 'machine-token-of-inactive-machine-is-refused',
    title:
      'the token of a machine opens nothing while the machine is inactive, and the overview again afterwards',
    end: 'machine',
    // Refused is any 4xx of the overview, the one call of machine tokens, from the first request after the hook on.
    users: [userOf('machine', 'inactive-machine', 'with the token of an inactive machine')],
    lost: { others: [['auth.machine-lifecycle', 'refused']] },
  },
  {
    slug: 'machine-token-of-human-without-membership-is-refused',
    title:
      'the token of a machine opens nothing while its human is not a member, and the overview again afterwards',
    end: 'membership',
    users: [
      userOf('machine', 'human-without-membership', 'with the token of a machine whose human is no member'),
    ],
    lost: { others: [['auth.machine-membership', 'refused']] },
  },
];

/** Those of the agent surface, and what a target has beside them. */
const allAgentCalls: readonly GuardedCall[] = [...agentCalls, ...boundCalls];

/** The calls that somebody uses. */
export function callsOf({ calls = allAgentCalls }: Ending, role: Holder): readonly GuardedCall[] {
  return role === 'machine' ? [overviewCall] : calls;
}

/** The rules for the answers of one call. */
export function rulesFor(rules: RulesByCall, call: GuardedCall['slug']): readonly Rule[] {
  return rules[call] ?? rules.others;
}

function ofTokens(
  end: 'revoked' | 'expired',
  roles: readonly [Holder, ...Holder[]],
  rules: readonly [readonly [Rule[0], readonly number[]], ...Rule[]],
): Ending {
  const [first] = roles;
  const [[, statuses]] = rules;
  const former = (role: Holder): FormerUser =>
    userOf(role, `${role}-${end}-in-use`, `with ${wordsOf[role]} that was ${end} while in use`);
  const which = first === 'author' ? '' : `-${first === 'machine' ? 'machine-token' : first}`;
  return {
    slug: `${end}${which}-while-in-use-is-${refusalWord(statuses)}`,
    title: `${wordsOf[first]} that opened every call is answered with ${statuses.join(' or ')} once it has ${end === 'revoked' ? 'been revoked' : end}`,
    end,
    precedent: end,
    users: roles.map(former),
    lost: { others: rules },
  };
}

function userOf(role: Holder, slug: string, words: string): FormerUser {
  return { role, kind: formerHolder(slug, words) };
}
