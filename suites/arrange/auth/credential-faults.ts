import {
  tokenCutShort,
  tokenEditedAtTheEnd,
  tokenEditedAtTheStart,
  tokenEditedInTheMiddle,
  tokenInOtherCase,
  tokenLike,
  tokenWithASignInside,
  tokenWithMore,
} from '../../../generators/texts/tokens.ts';
import type { Always } from '../../../harness/check/context.ts';
import type { Actor, RequestDraft } from '../../../harness/client/actor.ts';
import type { Exchange } from '../../../harness/client/exchange.ts';
import type { RoleName } from '../../../harness/config/roles.ts';
import type { ClauseId } from '../../../spec/index.ts';
import { valuesOf } from '../../../spec/oracles/values/json-texts.ts';
import { arranged } from '../or-else.ts';
import type { Place } from './places.ts';

/** Sends a request with the credential that is tried. */
type Speaker = (request: RequestDraft) => Promise<Exchange>;

/** One credential that a request can be sent with. */
export interface CredentialKind {
  readonly slug: string;
  /** Completes “a call …”. */
  readonly words: string;
  /** Its holder is known and may do nothing: which fault of a request comes first, that or one in what it carries, is not said. */
  readonly mayDoNothing?: boolean;
  /** Statuses that may refuse what is sent beside the credential: which of two faults comes first is not said. */
  readonly otherRefusals?: readonly number[];
  /** Who speaks with it in a place; `holder` has the credential that opens the call. `undefined` where there is none. */
  readonly speaker: (given: {
    readonly anonymous: Actor;
    readonly place: Place;
    readonly holder: Actor | undefined;
    /** Whether somebody has this token, as far as the run knows. */
    readonly isIssued: Always['isIssued'];
    readonly names: Always['names'];
    /** How the holder was answered, where that was asked. */
    readonly control: Exchange | undefined;
  }) => Speaker | undefined;
}

/** What the clauses want of a call, what is only inferred last. */
type StatusRules = readonly [StatusRule, ...StatusRule[]];
type StatusRule = readonly [clause: ClauseId, statuses: readonly number[]];

/** One way in which a request can lack a valid bearer credential. */
export interface CredentialFault {
  /** Part of the ids of checks. */
  readonly slug: string;
  /** Completes “a call …”, where there are several kinds. */
  readonly words?: string;
  readonly kinds: readonly [CredentialKind, ...CredentialKind[]];
  readonly rules: StatusRules;
  /** What the status table of the mentions call says of it; where it has nothing of its own, the rules are those of all calls. */
  readonly mentionsRules?: StatusRules;
  /** Who holds it: an agent, so that on the management surface two things would be wrong. */
  readonly role?: 'expired' | 'revoked';
  /** What other clauses are about, without which nothing can be said of these. */
  readonly others?: readonly CredentialKind[];
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

/** Headers by which a gateway tells the service behind it which agent asks; a client that sends them is nobody all the same. */
const agentHeaders = ['x-service-agent-id', 'x-agent-id'];
/** Those by which it tells what user asks: an agent, or the human who manages. */
const userHeaders = 'x-user-id x-remote-user x-forwarded-user x-authenticated-user'.split(' ');

/** Those by which it tells where a request came from: here, from itself. */
const fromWithin: Readonly<Record<string, string>> = {
  'x-forwarded-for': '127.0.0.1',
  'x-real-ip': '127.0.0.1',
  forwarded: 'for=127.0.0.1',
};

/**
 * Nobody, who says in every header but that of the credential to be the author, or the human that the call is open to, and to come from the
 * machine of the service.
 */
const pretender: CredentialKind = {
  slug: 'claimed',
  words: 'without a credential, whose other headers claim to be an agent or a human, from within',
  // Whoever sets these headers in front of the service may take them from nobody else.
  otherRefusals: [400, 403],
  speaker: ({ anonymous, control, names, place }) => {
    const claimed = place.actor('author');
    if (claimed === undefined) return undefined;
    return async (request) => {
      const agentId = await arranged(() => place.agentId(claimed));
      const [human] = valuesOf(control?.response?.json, 'human_user_id');
      const user = typeof human === 'string' ? human : agentId;
      const claims = Object.fromEntries([
        ...[...agentHeaders, names.agentIdHeader].map((name) => [name, agentId]),
        ...userHeaders.map((name) => [name, user]),
      ]);
      return anonymous.request({ ...request, headers: { ...request.headers, ...fromWithin, ...claims } });
    };
  },
};

/** The value of `Authorization` for a token. */
type HeaderOf = (token: string) => string;

const userName = withHeader(
  'as-a-user-name',
  'whose token is the user name of basic authentication',
  (token) => `Basic ${Buffer.from(`${token}:`).toString('base64')}`,
);

const password = withHeader(
  'as-a-password',
  'whose token is the password of basic authentication',
  (token) => `Basic ${Buffer.from(`x:${token}`).toString('base64')}`,
);

const noToken = withHeader('without-a-token', 'whose bearer scheme has no token after it', () => 'Bearer');
const unknownToken = near('unknown', 'with a random token that looks like a real one', tokenLike);

const unknownRules: Pick<CredentialFault, 'rules' | 'mentionsRules'> = {
  rules: [['auth.unknown-credential', [401]]],
  mentionsRules: [['errors.mentions-unknown-credential-is-401', [401]]],
};

export const credentialFaults: readonly CredentialFault[] = [
  {
    slug: 'without-a-credential',
    words: nobody.words,
    kinds: [nobody, pretender],
    rules: [['auth.missing-credential', [401]]],
    mentionsRules: [['errors.mentions-missing-credential-is-401', [401]]],
  },
  // Whether a good token needs a scheme in front of it is left open: this one is nobody's.
  malformed('without-a-scheme', 'whose header is an unknown token without a scheme', tokenLike),
  malformed(
    'with-another-scheme',
    'whose token has another scheme',
    (token) => `Basic ${token}`,
    userName,
    password,
  ),
  malformed(noToken.slug, noToken.words, () => 'Bearer'),
  { slug: 'with-an-unknown-token', kinds: [unknownToken], ...unknownRules },
  {
    slug: 'with-a-lengthened-token',
    kinds: [near('lengthened', 'with a valid token followed by more characters', tokenWithMore)],
    ...unknownRules,
  },
  {
    slug: 'with-a-nearly-valid-token',
    words: 'with a valid token cut short, or edited in its middle or at its end',
    kinds: [
      near('cut-short', 'with a valid token but for its last character', tokenCutShort),
      near('edited-in-the-middle', 'with a valid token edited in its middle', tokenEditedInTheMiddle),
      near('edited-at-the-end', 'with a valid token edited at its end', tokenEditedAtTheEnd),
    ],
    ...unknownRules,
  },
  {
    slug: 'with-a-respelled-token',
    words: 'with a valid token in the other letter case, edited at its start, or with a sign inside',
    kinds: [
      near('other-case', 'with a valid token in the other letter case', tokenInOtherCase),
      near('edited-at-the-start', 'with a valid token edited at its start', tokenEditedAtTheStart),
      near('with-a-sign-inside', 'with a valid token that has a sign in its middle', tokenWithASignInside),
    ],
    rules: [['auth.respelled-credential', [401]]],
    others: [unknownToken],
  },
  {
    slug: 'with-a-token-before-another-word',
    kinds: [
      near('before-another-word', 'with a valid token followed by another word', (token) => `${token} more`),
    ],
    rules: [['auth.respelled-credential', [401, 400, 422]]],
    others: [unknownToken, noToken],
  },
  {
    slug: 'with-an-expired-token',
    role: 'expired',
    kinds: [ofRole('expired', 'with a credential that was good until it expired')],
    rules: [['auth.expired-credential', [401]]],
    mentionsRules: [['errors.mentions-expired-credential-is-401', [401]]],
  },
  {
    slug: 'with-a-revoked-token',
    role: 'revoked',
    kinds: [ofRole('revoked', 'with a credential that was revoked')],
    rules: [
      ['auth.revoked-credential', statusesOfRevoked],
      ['auth.revoked-is-401', [401]],
    ],
    mentionsRules: [
      ['errors.mentions-revoked-credential-is-refused', statusesOfRevoked],
      ['errors.mentions-revoked-credential-is-401', [401]],
    ],
  },
];

/** `headerOf` is given the token of its holder, and may use, alter or leave it out: a server that looks at the token alone lets the first in. */
function malformed(
  slug: string,
  words: string,
  headerOf: HeaderOf,
  ...others: CredentialKind[]
): CredentialFault {
  return {
    slug,
    words,
    kinds: [withHeader(slug, words, headerOf), ...others],
    rules: [['auth.malformed-credential', [401, 400, 422]]],
    mentionsRules: [['errors.mentions-malformed-credential-is-401', [401]]],
  };
}

function withHeader(slug: string, words: string, headerOf: HeaderOf): CredentialKind {
  return {
    slug,
    words,
    speaker: ({ anonymous, holder, isIssued }) => {
      const header = headerOf(tokenOf(holder));
      return isIssued(header)
        ? undefined
        : (request) => anonymous.request(withAuthorization(request, header));
    },
  };
}

/** A token that nobody was given, made of one that somebody was; none where the making comes to one that somebody was given too. */
function near(slug: string, words: string, made: (token: string) => string): CredentialKind {
  return {
    slug,
    words,
    speaker: ({ anonymous, holder, isIssued }) => {
      const token = tokenOf(holder);
      const other = made(token);
      const stranger = other === token ? undefined : strangerWith(other, { anonymous, isIssued });
      return stranger && ((request) => stranger.request(request));
    },
  };
}

/** Whoever speaks with a token that nobody was given; `undefined` where somebody was: short tokens, and those that are numbered, differ by little. */
export function strangerWith(
  token: string,
  { anonymous, isIssued }: Pick<Always, 'anonymous' | 'isIssued'>,
): Actor | undefined {
  return token === '' || isIssued(token) ? undefined : anonymous.withToken(token, 'a stranger to the server');
}

/** The credential of a role. */
export function ofRole(role: RoleName, words: string): CredentialKind {
  return {
    slug: role,
    words,
    speaker: ({ place }) => {
      const actor = place.actor(role);
      return actor && ((request) => actor.request(request));
    },
  };
}

/** Headers by which clients of other services choose one of their workspaces; who is in none of this one's has no choice. */
const workspaceHeaders = ['x-workspace-id', 'x-tenant-id', 'x-org-id', 'x-organization-id'];

/** An agent of another workspace, which says in headers that it is about this one. */
export const claimant: CredentialKind = {
  slug: 'stranger-claiming',
  words: 'as an agent of another workspace, with headers that name this one',
  speaker: ({ place }) => {
    const stranger = place.actor('stranger');
    return (
      stranger &&
      (async (request) => {
        const id = await arranged(() => place.workspaceId());
        const claims = Object.fromEntries(id === undefined ? [] : workspaceHeaders.map((name) => [name, id]));
        return stranger.request({ ...request, headers: { ...request.headers, ...claims } });
      })
    );
  },
};

/** Whoever holds the credential that opened a call before. */
export function formerHolder(slug: string, words: string): CredentialKind {
  return { slug, words, speaker: ({ holder }) => holder && ((request) => holder.request(request)) };
}

/** The request with another `Authorization` header than that of whoever sends it. */
export function withAuthorization(request: RequestDraft, authorization: string): RequestDraft {
  return { ...request, headers: { ...request.headers, authorization } };
}

/** The token that an actor speaks with. */
export function tokenOf(holder: Actor | undefined): string {
  return holder?.authorization?.slice('Bearer '.length) ?? someToken;
}
