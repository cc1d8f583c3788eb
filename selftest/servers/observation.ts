import type { FooterEvent, Verdict } from '../../harness/results/generated/events.ts';

/** What one check, the ones that watch the wire included, said of one clause. */
interface JudgedClause {
  readonly check: string;
  readonly clause: string;
  readonly verdict: Verdict;
}

/** A clause that a run found broken, and by what. */
export interface FoundClause {
  readonly clause: string;
  readonly verdict: 'failed' | 'warned';
  /** Who found it, what was expected and what was there: one line. */
  readonly text: string;
}

/** A run of some checks against one server, as far as the self-test looks at it. */
export interface Observation {
  /** Every clause that was decided, by check. */
  readonly judged: readonly JudgedClause[];
  readonly found: readonly FoundClause[];
  /** Checks of which something stayed inconclusive, with the first reason. */
  readonly inconclusive: Readonly<Record<string, string>>;
  /** What kept the run from its checks, in the words of preflight. */
  readonly errors: readonly string[];
  readonly end: FooterEvent['end'];
  readonly exitCode: number;
  /** Why the run did not come to its end. */
  readonly reason: string | undefined;
  /** Kinds of answer that the server gave, where it counts them. */
  readonly answered: readonly string[];
  /** Lists with something in them that its answers carried, where it counts them. */
  readonly carried: readonly string[];
  /** What the judges of its history found broken, and the run did not count. */
  readonly hidden: readonly string[];
  /** Cells of the access matrix that were judged, as {@link cellName} has them. */
  readonly cells?: readonly string[];
  readonly requests: number;
  readonly durationMs: number;
  /** Ms of it in which the run did nothing but wait. */
  readonly idleMs: number;
}
