/** In what a run put clauses to the test, whatever came of it. */
export interface RunCoverage {
  /** By clause, each that declares in what it could be broken. */
  readonly situations: readonly ClauseSituations[];
  readonly bounds: readonly BoundReached[];
}

/** How many of the situations that a clause declares arose in a run. */
export interface ClauseSituations {
  readonly clause: string;
  /** What they are made of: a situation is a pair of values of these, or, of a clause about access, a value of each. */
  readonly along: readonly string[];
  readonly declared: number;
  readonly seen: number;
  /** Some of those that never arose, as `limit 99, reader peer`. */
  readonly missing: readonly string[];
}

/** A bound that the contract sets, and how often a run reached it. */
export interface BoundReached {
  /** What is bounded, as `limit of mentions`. */
  readonly of: string;
  /** The value at it, as `100`. */
  readonly at: string;
  /** `allowed` and `forbidden` values of requests, the last and the first of their kind; `shown` in an answer. */
  readonly side: 'allowed' | 'forbidden' | 'shown';
  readonly clause: string;
  /** Requests that asked with it, or answers that showed it. */
  readonly times: number;
}
