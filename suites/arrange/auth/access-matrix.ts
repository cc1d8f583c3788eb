import type { ClauseId } from '../../../spec/index.ts';
import { credentialFaults } from './credential-faults.ts';
import type { CredentialFault } from './credential-faults.ts';
import {
  channelReadCall,
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
];

function cellsOf({ slug: call, forms }: GuardedCall, credential: string, clause: ClauseId): AccessCell[] {
  return forms.map(({ slug: form }) => ({ clause, call, credential, form }));
}
