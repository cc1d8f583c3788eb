import {
  tokenCutShort,
  tokenEditedAtTheEnd,
  tokenEditedAtTheStart,
  tokenEditedInTheMiddle,
  tokenInOtherCase,
  tokenLike,
  tokenWithMore,
} from '../../../generators/texts/tokens.ts';
import type { Actor, RequestDraft } from '../../../harness/client/actor.ts';
import type { Exchange } from '../../../harness/client/exchange.ts';
import type { NeedName } from '../../../harness/config/capabilities.ts';
import type { RoleName } from '../../../harness/config/roles.ts';
import type { ClauseId } from '../../../spec/index.ts';
import type { Place } from './places.ts';

/** Sends a request with the credential that is tried. */
export type Speaker = (request: RequestDraft) => Promise<Exchange>;

/** One credential that a request can be sent with. */
export interface CredentialKind {
  readonly slug: string;
  /** Completes “a call …”. */
  readonly words: string;
  /** Who speaks with it in a place; `holder` has the credential that opens the call. `undefined` where there is none. */
  readonly speaker: (given: {
    readonly anonymous: Actor;
    readonly place: Place;
    readonly holder: Actor | undefined;
  }) => Speaker | undefined;
}

/** One way in which a request can lack a valid bearer credential. */
export interface CredentialFault {
  /** Part of the ids of checks. */
  readonly slug: string;
  /** Completes “a call …”. */
  readonly words: string;
  readonly clause: ClauseId;
  /** Statuses that refuse it; elsewhere than on the mentions call, whose table names one. */
  readonly statuses: readonly number[];
  /** What the status table of the mentions call says of it; where it has nothing of its own, the clause is that of all calls. */
  readonly mentionsClause?: ClauseId;
  /** What is only inferred beside those: that the status is 401. */
  readonly inferred?: { readonly clause: ClauseId; readonly mentionsClause: ClauseId };
  readonly needs: readonly NeedName[];
  /** Credentials of this kind belong to agents, so that on the management surface two things would be wrong. */
  readonly isOfAgents: boolean;
  readonly kinds: readonly CredentialKind[];
  /** What another clause is about, without which nothing can be said of these. */
  readonly unknown?: CredentialKind;
}

/** Stands in for the shape of a token when none is configured. */
const someToken = 'Aa0bB1cC2dD3eE4fF5gG6hH7iI8jJ9kK';

/** A revoked credential is an invalid one, or one of somebody known who may do nothing any more. */
export const statusesOfRevoked: readonly number[] = [401, 403];

/** Nobody at all. */
export const nobody: CredentialKind = {
  slug: 'missing',
  words: 'without a credential',
  speaker:
    ({ anonymous }) =>
    (request) =>
      anonymous.request(request),
};

const unknownToken = near('unknown', 'with a random token that looks like a real one', tokenLike);

const unknown = {
  clause: 'auth.unknown-credential',
  statuses: [401],
  mentionsClause: 'errors.mentions-unknown-credential-is-401',
  needs: [],
  isOfAgents: false,
} as const;

export const credentialFaults: readonly CredentialFault[] = [
  {
    slug: 'without-a-credential',
    words: 'without a credential',
    clause: 'auth.missing-credential',
    statuses: [401],
    mentionsClause: 'errors.mentions-missing-credential-is-401',
    needs: [],
    isOfAgents: false,
    kinds: [nobody],
  },
  // Whether a good token needs a scheme in front of it is left open: this one is nobody's.
  malformed('without-a-scheme', 'whose header is an unknown token without a scheme', tokenLike),
  malformed('with-another-scheme', 'whose token has another scheme', (token) => `Basic ${token}`),
  malformed('without-a-token', 'whose bearer scheme has no token after it', () => 'Bearer'),
  {
    ...unknown,
    slug: 'with-an-unknown-token',
    words: 'with a random token that looks like a real one',
    kinds: [unknownToken],
  },
  {
    ...unknown,
    slug: 'with-a-lengthened-token',
    words: 'with a valid token followed by more characters',
    kinds: [near('lengthened', 'with a valid token followed by more characters', tokenWithMore)],
  },
  {
    ...unknown,
    slug: 'with-a-nearly-valid-token',
    words: 'with a valid token cut short, or edited in its middle or at its end',
    kinds: [
      near('cut-short', 'with a valid token but for its last character', tokenCutShort),
      near('edited-in-the-middle', 'with a valid token edited in its middle', tokenEditedInTheMiddle),
      near('edited-at-the-end', 'with a valid token edited at its end', tokenEditedAtTheEnd),
    ],
  },
  {
    slug: 'with-a-respelled-token',
    words: 'with a valid token in the other letter case, or edited at its start',
    clause: 'auth.respelled-credential',
    unknown: unknownToken,
    statuses: [401],
    needs: [],
    isOfAgents: false,
    kinds: [
      near('other-case', 'with a valid token in the other letter case', tokenInOtherCase),
      near('edited-at-the-start', 'with a valid token edited at its start', tokenEditedAtTheStart),
    ],
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
    kinds: [
      {
        slug,
        words,
        speaker:
          ({ anonymous, holder }) =>
          (request) =>
            anonymous.request(withAuthorization(request, headerOf(tokenOf(holder)))),
      },
    ],
  };
}

/** A token that nobody was given, made of one that somebody was; none where the making leaves it as it is. */
function near(slug: string, words: string, made: (token: string) => string): CredentialKind {
  return {
    slug,
    words,
    speaker: ({ anonymous, holder }) => {
      const token = tokenOf(holder);
      const other = made(token);
      if (other === token || other === '') return undefined;
      const stranger = anonymous.withToken(other, 'a stranger to the server');
      return (request) => stranger.request(request);
    },
  };
}

function withered(
  role: 'expired' | 'revoked',
  clause: ClauseId,
  mentionsClause: ClauseId,
): Omit<CredentialFault, 'statuses'> {
  const words = `with a credential that was ${role === 'expired' ? 'good until it expired' : 'revoked'}`;
  return {
    slug: `with-${role === 'expired' ? 'an' : 'a'}-${role}-token`,
    words,
    clause,
    mentionsClause,
    needs: [role],
    isOfAgents: true,
    kinds: [ofRole(role, words)],
  };
}

/** The credential of a role. */
export function ofRole(role: RoleName, words: string, slug: string = role): CredentialKind {
  return {
    slug,
    words,
    speaker: ({ place }) => {
      const actor = place.actor(role);
      return actor && ((request) => actor.request(request));
    },
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
