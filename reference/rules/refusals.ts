import type { ApiError } from '../../spec/generated/types.ts';
import type { RouteName } from '../model/routes.ts';
import type { WorkspaceAccess } from './access.ts';
import type { CredentialProblem, RefusalExtras, RefusalKind } from '../model/refusal.ts';

/** What a refused request is told. `route` is null when the path is not one of ours. */
export const refusalRules = {
  statusOfRefusal: (kind: RefusalKind, _route: RouteName | null): number => statuses[kind],

  /** A credential that is no good is a matter of authentication, also on the wrong surface. */
  kindOfCredentialProblem: (_problem: CredentialProblem, _route: RouteName): RefusalKind => 'unauthenticated',

  /** An agent without access is known and refused, whether or not it had access before. */
  kindOfNoAccess: (_access: WorkspaceAccess): RefusalKind => 'forbidden',

  /** A channel of another workspace is there, and closed. */
  kindOfForeignChannel: (): RefusalKind => 'forbidden',

  codeOfRefusal: (kind: RefusalKind): string => kind.replaceAll('-', '_'),

  errorBody: (code: string, message: string, details: RefusalExtras['details']): ApiError => ({
    error: { code, message, ...(details && { details: { ...details } }) },
  }),

  /** `WWW-Authenticate` of a 401, after RFC 6750: an error attribute once a token was there to be wrong. */
  challenge: (problem: CredentialProblem): string | null =>
    problem === 'missing'
      ? 'Bearer realm="messaging"'
      : `Bearer realm="messaging", error="${problem === 'malformed' ? 'invalid_request' : 'invalid_token'}"`,

  /** `Retry-After` in whole seconds; null leaves it out. */
  retryAfter: (seconds: number): string | null => String(Math.max(0, Math.ceil(seconds))),
} as const;

const statuses: Readonly<Record<RefusalKind, number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  'wrong-method': 405,
  timeout: 408,
  conflict: 409,
  gone: 410,
  'too-large': 413,
  'unsupported-media-type': 415,
  'unmet-expectation': 417,
  'rate-limited': 429,
  'headers-too-large': 431,
  internal: 500,
};
