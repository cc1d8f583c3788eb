import { decoded, type CallName } from '../../calls/index.ts';
import type { ClauseId } from '../../index.ts';
import { reject, accept, open, refusable, type Aspect } from './expected.ts';

/** The role whose token a text is; `undefined` for nobody's. */
export type OwnerOf = (token: string) => string | undefined;

/** What a request's `Authorization` opens, whatever else it asks. */
export function credentialAspect(
  authorization: string | undefined,
  call: CallName,
  ownerOf: OwnerOf,
): Aspect {
  if (authorization === undefined) return unauthenticated('missing', call);
  const token = tokenIn(authorization);
  if (token === undefined) return withoutToken(authorization, call, ownerOf);
  const owner = ownerOf(token);
  return owner === undefined ? unknownToken(token, call, ownerOf) : aspectOfRole(owner, call);
}

/** The token of a bearer credential as everybody reads it. */
export function tokenIn(authorization = ''): string | undefined {
  return /^Bearer ([^\s,]+)$/.exec(authorization)?.[1];
}

/** No bearer credential, or one in a form that is read by some and not by others. */
function withoutToken(authorization: string, call: CallName, ownerOf: OwnerOf): Aspect {
  const holdsGoodToken = authorization.split(/[\s,]+/).some((word) => ownerOf(word) !== undefined);
  const isBearer = /^\s*bearer\b/i.test(authorization);
  if (isBearer && holdsGoodToken) return open;
  // Whether a token needs a scheme in front of it is the server's choice.
  if (ownerOf(authorization.trim()) !== undefined) return open;
  if (/[^\x21-\x7e ]/.test(authorization)) return open;
  return unauthenticated('malformed', call, isBearer ? 'no-token' : 'not-bearer');
}

/** A token by RFC 6750: whatever else stands there is no credential of that form. */
const token68 = /^[A-Za-z0-9._~+/-]+=*$/;

function unknownToken(token: string, call: CallName, ownerOf: OwnerOf): Aspect {
  // A good token in another dress: escaped, padded, quoted or in another letter case.
  const core = token.replaceAll(/^["'<(]+|["'>);.=]+$/g, '');
  const isNearlyGood = [core, decoded(token)].some((each) => ownerOf(each) !== undefined);
  if (isNearlyGood || ownerOf(caseless(token)) !== undefined) return open;
  if (isRespelled(token, ownerOf))
    return reject(respelled, 'respelled', { statuses: [401], clause: respelled });
  return token68.test(token)
    ? unauthenticated('unknown', call)
    : unauthenticated('malformed', call, 'no-token');
}

const respelled: ClauseId = 'auth.respelled-credential';

/**
 * A good token with one character more at its end, or signs around it that are of no code for bytes: whoever decodes a token may pass over
 * these, so that it is only inferred to be another one.
 */
function isRespelled(token: string, ownerOf: OwnerOf): boolean {
  const bare = token.replaceAll(/^[.~]+|[.~=]+$/g, '');
  return [bare, bare.slice(0, -1).replace(/[.~]+$/, '')].some((each) => ownerOf(each) !== undefined);
}

/** Asks for a token whatever its letter case: `ownerOf` knows tokens under this name too. */
export function caseless(token: string): string {
  return `any case of ${token.toLowerCase()}`;
}

/** A credential of the other surface. */
const noMachine = reject('overview.requires-a-machine-token', 'agent-token');

function aspectOfRole(role: string, call: CallName): Aspect {
  const isManagement = call === 'overview';
  switch (role) {
    case 'author':
    case 'reader':
    case 'peer':
      return isManagement ? noMachine : accept;
    case 'api-key':
      // What a key may do besides opening the surface was chosen when it was made.
      return isManagement ? noMachine : refusable;
    case 'machine':
      return isManagement ? accept : reject('auth.machine-token-refused-on-agent-surface', 'machine-token');
    case 'expired':
    case 'revoked':
      // Whosever it was, it opens nothing; how one of the other surface is refused is open.
      return isManagement ? reject(`auth.${role}-credential`, role) : unauthenticated(role, call);
    case 'stranger':
      return isManagement ? noMachine : strangerAspect(call);
    case 'outsider':
      if (isManagement) return noMachine;
      // It may be empty for whoever has access to nothing.
      return call === 'channels-list' ? open : withoutAccess(call);
    default:
      return open;
  }
}

/**
 * An agent that lost its access may have lost its credential with it: a 401 alone tells nothing. A channel may be hidden
 * from whoever has no access to it.
 */
function withoutAccess(call: CallName): Aspect {
  const isMentions = call === 'mentions';
  const clause: ClauseId = isMentions ? 'errors.mentions-no-access-is-403' : 'auth.no-access-is-403';
  // What else of a request for receipts may be wrong is not shown.
  if (call === 'receipts-list') return reject(clause, 'outsider');
  return reject(clause, 'outsider', { statuses: isMentions ? [401, 403] : [401, 403, 404], clause });
}

function strangerAspect(call: CallName): Aspect {
  // In its own workspace it is as good as anybody.
  if (call === 'mentions' || call === 'channels-list') return accept;
  const isOfChannel = call === 'send' || call === 'channel-read' || call === 'receipts-list';
  return isOfChannel ? reject('auth.other-workspace-refused', 'stranger') : open;
}

type CredentialFlaw = 'missing' | 'malformed' | 'unknown' | 'expired' | 'revoked';

function mentionsClauseOf(flaw: CredentialFlaw): ClauseId {
  return flaw === 'revoked'
    ? 'errors.mentions-revoked-credential-is-refused'
    : `errors.mentions-${flaw}-credential-is-401`;
}

/** What is malformed may be a bad request, but not of the mentions call; a revoked credential may be a known one without access. */
function statusesOf(flaw: CredentialFlaw, call: CallName): readonly number[] {
  if (flaw === 'revoked') return [401, 403];
  return flaw === 'malformed' && call !== 'mentions' ? [400, 401, 422] : [401];
}

/** The mentions call has a clause of its own for each flaw, in its table of statuses. */
function unauthenticated(flaw: CredentialFlaw, call: CallName, part: string = flaw): Aspect {
  const clause: ClauseId = call === 'mentions' ? mentionsClauseOf(flaw) : `auth.${flaw}-credential`;
  return reject(clause, part, { statuses: statusesOf(flaw, call), clause });
}
