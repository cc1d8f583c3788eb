import { tokenLike, tokenWithMore } from '../../../generators/texts/tokens.ts';
import type { Actor, RequestDraft } from '../../../harness/client/actor.ts';
import type { Exchange } from '../../../harness/client/exchange.ts';
import type { Context } from '../../../harness/check/context.ts';
import type { NeedName } from '../../../harness/config/capabilities.ts';
import type { ClauseId } from '../../../spec/index.ts';

/** One way in which a request can lack a valid bearer credential. */
export interface CredentialFault {
  /** Part of the ids of checks. */
  readonly slug: string;
  /** Completes “a call …”. */
  readonly words: string;
  readonly clause: ClauseId;
  /** Statuses that refuse it; elsewhere than on the mentions call, whose table names one. */
  readonly statuses: readonly number[];
  /** What the status table of the mentions call says of it. */
  readonly mentionsClause: ClauseId;
  /** What is only inferred beside those: that the status is 401. */
  readonly inferred?: { readonly clause: ClauseId; readonly mentionsClause: ClauseId };
  readonly needs: readonly NeedName[];
  /** Credentials of this kind belong to agents, so that on the management surface two things would be wrong. */
  readonly isOfAgents: boolean;
  /** Sends a request that is right but for the credential; `holder` has the one that would open it. */
  readonly ask: (
    context: Context<NeedName>,
    request: RequestDraft,
    holder: Actor | undefined,
  ) => Promise<Exchange>;
}

/** Stands in for the shape of a token when none is configured. */
const someToken = 'Aa0bB1cC2dD3eE4fF5gG6hH7iI8jJ9kK';

/** A revoked credential is an invalid one, or one of somebody known who may do nothing any more. */
export const statusesOfRevoked: readonly number[] = [401, 403];

export const credentialFaults: readonly CredentialFault[] = [
  {
    slug: 'without-a-credential',
    words: 'without a credential',
    clause: 'auth.missing-credential',
    statuses: [401],
    mentionsClause: 'errors.mentions-missing-credential-is-401',
    needs: [],
    isOfAgents: false,
    ask: ({ anonymous }, request) => anonymous.request(request),
  },
  // Whether a good token needs a scheme in front of it is left open: this one is nobody's.
  malformed('without-a-scheme', 'whose header is an unknown token without a scheme', tokenLike),
  malformed('with-another-scheme', 'whose token has another scheme', (token) => `Basic ${token}`),
  malformed('without-a-token', 'whose bearer scheme has no token after it', () => 'Bearer'),
  {
    slug: 'with-an-unknown-token',
    words: 'with a random token that looks like a real one',
    clause: 'auth.unknown-credential',
    statuses: [401],
    mentionsClause: 'errors.mentions-unknown-credential-is-401',
    needs: [],
    isOfAgents: false,
    ask: ({ anonymous }, request, holder) =>
      anonymous.withToken(tokenLike(tokenOf(holder)), 'a stranger to the server').request(request),
  },
  {
    slug: 'with-a-lengthened-token',
    words: 'with a valid token followed by more characters',
    clause: 'auth.unknown-credential',
    statuses: [401],
    mentionsClause: 'errors.mentions-unknown-credential-is-401',
    needs: [],
    isOfAgents: false,
    ask: ({ anonymous }, request, holder) =>
      anonymous.withToken(tokenWithMore(tokenOf(holder)), 'a stranger to the server').request(request),
  },
  {
    ...withered('expired', 'auth.expired-credential', 'errors.mentions-expired-credential-is-401'),
    statuses: [401],
  },
  {
    ...withered('revoked', 'auth.revoked-credential', 'errors.mentions-revoked-credential-is-refused'),
    statuses: statusesOfRevoked,
    inferred: {
      clause: 'auth.revoked-is-401',
      mentionsClause: 'errors.mentions-revoked-credential-is-401',
    },
  },
];

/** `headerOf` gets a good token, so that a server which looks at nothing else lets it in. */
function malformed(slug: string, words: string, headerOf: (token: string) => string): CredentialFault {
  return {
    slug,
    words,
    clause: 'auth.malformed-credential',
    statuses: [401, 400, 422],
    mentionsClause: 'errors.mentions-malformed-credential-is-401',
    needs: [],
    isOfAgents: false,
    ask: ({ anonymous }, request, holder) =>
      anonymous.request(withAuthorization(request, headerOf(tokenOf(holder)))),
  };
}

function withered(
  role: 'expired' | 'revoked',
  clause: ClauseId,
  mentionsClause: ClauseId,
): Omit<CredentialFault, 'statuses'> {
  return {
    slug: `with-${role === 'expired' ? 'an' : 'a'}-${role}-token`,
    words: `with a credential that was ${role === 'expired' ? 'good until it expired' : 'revoked'}`,
    clause,
    mentionsClause,
    needs: [role],
    isOfAgents: true,
    ask: (context, request) => context[role].request(request),
  };
}

/** How ids of checks name what a credential meets: its one status, or that it is refused with any of several. */
export function refusalWord(statuses: readonly number[]): string {
  return statuses.length === 1 ? `${statuses[0]}` : 'refused';
}

/** The request with another `Authorization` header than that of whoever sends it. */
export function withAuthorization(request: RequestDraft, authorization: string): RequestDraft {
  return { ...request, headers: { ...request.headers, authorization } };
}

/** The token that an actor speaks with. */
export function tokenOf(holder: Actor | undefined): string {
  return holder?.authorization?.slice('Bearer '.length) ?? someToken;
}
