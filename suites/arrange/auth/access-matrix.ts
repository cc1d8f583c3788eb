import type { Situation } from '../../../harness/verdict/ledger.ts';
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

/** How credentials that are in use come to their end. */
export interface Ending {
  readonly end: 'revoked' | 'expired';
  /** The roles that have them. */
  readonly holders: readonly [Holder, ...Holder[]];
  readonly clause: ClauseId;
  /** Those that refuse it. */
  readonly statuses: readonly number[];
  /** Says that the status is 401 where that is only inferred. */
  readonly inferred?: ClauseId;
}

export type Holder = 'author' | 'api-key' | 'machine';

export const endings: readonly Ending[] = [
  {
    end: 'revoked',
    holders: ['author', 'api-key', 'machine'],
    clause: 'auth.revoked-while-in-use',
    statuses: statusesOfRevoked,
    inferred: 'auth.revoked-is-401',
  },
  { end: 'expired', holders: ['author'], clause: 'auth.expires-while-in-use', statuses: [401] },
  { end: 'expired', holders: ['api-key'], clause: 'auth.api-key-expires', statuses: [401] },
  { end: 'expired', holders: ['machine'], clause: 'auth.machine-token-expires', statuses: [401] },
];

/** The kind of credential that one is once it has ended. */
export function endedKind(holder: Holder, end: Ending['end']): string {
  return `${holder}-${end}-in-use`;
}

/** The calls that a role's credential opens. */
export function callsOf(holder: Holder): readonly GuardedCall[] {
  return holder === 'machine' ? [overviewCall] : agentCalls;
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
  ...endings.flatMap(({ end, holders, clause }) =>
    holders.flatMap((holder) =>
      callsOf(holder).flatMap((call) => cellsOf(call, endedKind(holder, end), clause)),
    ),
  ),
  ...agentCalls.flatMap((call) => [
    ...cellsOf(call, 'access-lost', clauseOfLost(call)),
    ...cellsOf(call, 'access-regained', clauseOfRegained(call)),
  ]),
  ...endedMachines.flatMap(({ slug, clause }) => cellsOf(overviewCall, slug, clause)),
  ...cellsOf(overviewCall, 'of-another-workspace', 'overview.own-workspace-only'),
];

/** The matrix as situations that a run declares. */
export function declaredCells(): readonly Situation[] {
  return accessCells.map(({ clause, ...dimensions }) => ({ clause, dimensions }));
}

/** How a cell is told. */
export function cellName({ clause, call, credential, form }: Record<keyof AccessCell, string>): string {
  return `${clause}: ${call}, ${credential}, ${form}`;
}

/** A clause about access, and the situations in which it could be broken. */
export interface AccessSituations {
  readonly clause: ClauseId;
  /** Values of each dimension that occur. */
  readonly dimensions: Readonly<Record<'call' | 'credential' | 'form', readonly string[]>>;
  /** How many of their combinations are cells. */
  readonly cells: number;
}

/** The matrix by clause. */
export function accessSituations(): readonly AccessSituations[] {
  const clauses = [...new Set(accessCells.map(({ clause }) => clause))];
  return clauses.map((clause) => {
    const cells = accessCells.filter((each) => each.clause === clause);
    const valuesOf = (name: 'call' | 'credential' | 'form'): readonly string[] => [
      ...new Set(cells.map((cell) => cell[name])),
    ];
    const dimensions = { call: valuesOf('call'), credential: valuesOf('credential'), form: valuesOf('form') };
    return { clause, dimensions, cells: cells.length };
  });
}

function cellsOf({ slug: call, forms }: GuardedCall, credential: string, clause: ClauseId): AccessCell[] {
  return forms.map(({ slug: form }) => ({ clause, call, credential, form }));
}
