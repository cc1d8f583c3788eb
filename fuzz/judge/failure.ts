import type { CallName } from '../../spec/calls/index.ts';
import type { BrokenVerdict } from '../../harness/results/generated/events.ts';
import { verdictWhenBroken } from '../../harness/verdict/outcome.ts';
import type { Problem } from '../../spec/oracles/values/judgement.ts';
import { clauseOf, originalOf, type ClauseId } from '../../spec/index.ts';

/** One rule that a server broke on one request. */
export interface CaseFailure extends Problem {
  readonly clause: ClauseId;
  /** The part of the rule that was broken. */
  readonly part: string;
  /** The call that showed it. */
  readonly call: CallName;
  /** Whether the answer itself shows it, or only what is read afterwards. */
  readonly seenIn: 'answer' | 'readBack';
  /** True where the call was taken or refused against the rule, or neither taken nor refused. */
  readonly isOutcome?: boolean;
  /** True where the call came to an error of the server (5xx). */
  readonly isServerError?: boolean;
  /** Id of the exchange that decides, among those that show it, where that need not be the last. */
  readonly decidedBy?: number | undefined;
}

/**
 * What failures are gathered by: two broken limits are two, a header that is missing everywhere is one, whichever calls
 * show it. A clause that says of one call what another says of all stands for the same.
 */
export function rootOf({ clause, part }: Pick<CaseFailure, 'clause' | 'part'>): string {
  return `${sameRule(clause)} | ${part}`;
}

function sameRule(clause: ClauseId): string {
  const original = originalOf(clause);
  const flaw = /^errors\.mentions-([a-z]+)-credential-is-(?:401|refused)$/.exec(original)?.[1];
  return flaw === undefined ? original : `auth.${flaw}-credential`;
}

/** The part of a clause that server errors break which do not come every time. */
export const comesAgain = 'a server error that comes again';

/** Whether two failures have one root; any server error is one that comes again. */
export function isSameRoot(one: CaseFailure, other: CaseFailure): boolean {
  return rootOf(one) === rootOf(other) || (other.part === comesAgain && one.isServerError === true);
}

/** Of the clauses that a finding names, those that are its rule: others merely came with it. */
export function standFor(root: string, clauses: readonly ClauseId[]): readonly ClauseId[] {
  const part = root.slice(root.indexOf(' | ') + 3);
  return clauses.filter((clause) => rootOf({ clause, part }) === root);
}

/** What a broken clause comes to. */
export function verdictOf(clause: ClauseId): BrokenVerdict {
  return verdictWhenBroken(clauseOf(clause).level);
}
