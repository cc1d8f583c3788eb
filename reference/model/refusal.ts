/** Why a request is refused; the status and the `error.code` of each kind are rules. */
export type RefusalKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'wrong-method'
  | 'timeout'
  | 'conflict'
  | 'gone'
  | 'too-large'
  | 'unsupported-media-type'
  | 'unmet-expectation'
  | 'rate-limited'
  | 'headers-too-large'
  | 'internal';

/** What a refusal may carry besides its kind and its sentence. */
export interface RefusalExtras {
  readonly details?: Readonly<Record<string, unknown>>;
  /** Whole seconds; sent as `Retry-After` through a rule. */
  readonly retryAfterSeconds?: number;
  /** What was wrong with the credential; decides the challenge of a 401. */
  readonly credentialProblem?: CredentialProblem;
  /** Methods that the path does have, for a 405. */
  readonly allow?: readonly string[];
}

/** The ways in which a bearer credential can fail. */
export type CredentialProblem = 'missing' | 'malformed' | 'unknown' | 'expired' | 'revoked' | 'wrong-surface';

/** What keeps a request out: its credential, or whom that stands for. */
export type AccessProblem = CredentialProblem | 'other-workspace';

/** A refused request. It is thrown by whatever finds the fault and becomes an ApiError at the edge. */
export class Refusal extends Error {
  readonly kind: RefusalKind;
  readonly extras: RefusalExtras;

  constructor(kind: RefusalKind, message: string, extras: RefusalExtras = {}) {
    super(message);
    this.name = 'Refusal';
    this.kind = kind;
    this.extras = extras;
  }
}
