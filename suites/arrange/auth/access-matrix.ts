import type { ClauseId } from '../../../spec/index.ts';
import { credentialFaults, statusesOfRevoked } from './credential-faults.ts';
import type { CredentialFault } from './credential-faults.ts';
import {
  channelReadCall,
  channelsListCall,
  mentionsCall,
  otherAgentCalls,
  overviewCall,
  receiptsListCall,
  sendCall,
} from './guarded-calls.ts';
import type { GuardedCall } from './guarded-calls.ts';

/** A call, asked in one form with one kind of credential, and the clause that a server breaks if it lets that in. */
export interface AccessCell {
  readonly clause: ClauseId;
  readonly call: GuardedCall['slug'];
  /** A kind of credential. */
  readonly credential: string;
  readonly form: string;
}

/** Calls of the agent surface. */
export const agentCalls: readonly GuardedCall[] = [mentionsCall, ...otherAgentCalls];

/** Calls that name a channel. */
export const channelCalls: readonly GuardedCall[] = [channelReadCall, sendCall, receiptsListCall];

/** Each call with each credential that is no good, but those of which the mentions call has clauses of its own. */
export const refusedCredentials: readonly (readonly [GuardedCall, CredentialFault])[] = [
  ...otherAgentCalls,
  overviewCall,
  mentionsCall,
].flatMap((call) =>
  credentialFaults
    .filter(({ isOfAgents }) => !isOfAgents || call.holder === 'author')
    .filter(({ mentionsClause }) => call !== mentionsCall || mentionsClause === undefined)
    .map((fault) => [call, fault] as const),
);

/** How a credential that is in use comes to its end. */
export interface EndedCredential {
  /** The role that has it. */
  readonly holder: 'author' | 'api-key' | 'machine';
  readonly end: 'revoked' | 'expired';
  readonly clause: ClauseId;
  /** Those that refuse it. */
  readonly statuses: readonly number[];
  /** Says that the status is 401 where that is only inferred. */
  readonly inferred?: ClauseId;
}

const revoked = {
  end: 'revoked',
  clause: 'auth.revoked-while-in-use',
  statuses: statusesOfRevoked,
  inferred: 'auth.revoked-is-401',
} as const;

export const endedCredentials: readonly EndedCredential[] = [
  { holder: 'author', ...revoked },
  { holder: 'api-key', ...revoked },
  { holder: 'machine', ...revoked },
  { holder: 'author', end: 'expired', clause: 'auth.expires-while-in-use', statuses: [401] },
  { holder: 'api-key', end: 'expired', clause: 'auth.api-key-expires', statuses: [401] },
  { holder: 'machine', end: 'expired', clause: 'auth.machine-token-expires', statuses: [401] },
];

/** The kind of credential that one is once it has ended. */
export function slugOf({ holder, end }: EndedCredential): string {
  return `${holder}-${end}-in-use`;
}

/** What ends the use of a machine token without ending the token. */
export const endedMachines = [
  { slug: 'inactive-machine', clause: 'auth.machine-lifecycle' },
  { slug: 'human-without-membership', clause: 'auth.machine-membership' },
] as const;

/** The clause about an agent that lost its access, by call: what the list of channels shows it is only inferred. */
export function clauseOfLost({ slug }: GuardedCall): ClauseId {
  if (slug === 'mentions') return 'mentions.membership-rechecked';
  return slug === 'channels-list' ? 'auth.no-access-lists-no-channel' : 'auth.no-access-is-403';
}

/** The clause about an agent that has its access again. */
export function clauseOfRegained({ slug }: GuardedCall): ClauseId {
  return slug === 'mentions' ? 'mentions.membership-rechecked' : 'auth.access-comes-back';
}

/** Every cell of the matrix: what a run on a target with all roles and hooks has to judge. */
export const accessCells: readonly AccessCell[] = [
  ...refusedCredentials.flatMap(([call, { clause, kinds }]) =>
    kinds.flatMap(({ slug }) => cellsOf(call, slug, clause)),
  ),
  ...credentialFaults.flatMap(({ mentionsClause, kinds }) =>
    mentionsClause === undefined
      ? []
      : kinds.flatMap(({ slug }) => cellsOf(mentionsCall, slug, mentionsClause)),
  ),
  ...agentCalls.flatMap((call) => cellsOf(call, 'machine', 'auth.machine-token-refused-on-agent-surface')),
  ...['author', 'api-key'].flatMap((role) =>
    cellsOf(overviewCall, role, 'overview.requires-a-machine-token'),
  ),
  ...channelCalls.flatMap((call) => [
    ...cellsOf(call, 'outsider', 'auth.no-access-is-403'),
    ...cellsOf(call, 'stranger', 'auth.other-workspace-refused'),
  ]),
  ...cellsOf(mentionsCall, 'outsider', 'errors.mentions-no-access-is-403'),
  ...cellsOf(channelsListCall, 'outsider', 'auth.no-access-lists-no-channel'),
  ...endedCredentials.flatMap((ended) =>
    (ended.holder === 'machine' ? [overviewCall] : agentCalls).flatMap((call) =>
      cellsOf(call, slugOf(ended), ended.clause),
    ),
  ),
  ...agentCalls.flatMap((call) => [
    ...cellsOf(call, 'access-lost', clauseOfLost(call)),
    ...cellsOf(call, 'access-regained', clauseOfRegained(call)),
  ]),
  ...endedMachines.flatMap(({ slug, clause }) => cellsOf(overviewCall, slug, clause)),
  ...cellsOf(overviewCall, 'of-another-workspace', 'overview.own-workspace-only'),
];

function cellsOf({ slug: call, forms }: GuardedCall, credential: string, clause: ClauseId): AccessCell[] {
  return forms.map(({ slug: form }) => ({ clause, call, credential, form }));
}
