import { clauseOf } from '../spec/index.ts';
import type { ClauseId } from '../spec/index.ts';

/** What a failure is worth: that of its clause's level; `noted` where the contract says nothing. */
export type Weight = 'failed' | 'warned' | 'noted';

/** One rule that a server broke on one request. */
export interface Failure {
  readonly clause: ClauseId;
  /** The part of the rule that was broken. */
  readonly part: string;
  /** The call, where a rule is of that call; `any` for what holds of every answer. */
  readonly call: string;
  /** Whether the answer itself shows it, or only what is read afterwards. */
  readonly seenIn: 'answer' | 'aftermath';
  readonly expected: string;
  readonly actual: string;
}

/** What failures are gathered by: two broken limits are two, a header that is missing everywhere is one. */
export function rootOf({ clause, part, call }: Pick<Failure, 'clause' | 'part' | 'call'>): string {
  return `${clause} | ${part} | ${call}`;
}

/** The weight of a broken clause. */
export function weightOf(clause: ClauseId): Weight {
  const { level } = clauseOf(clause);
  if (level === 'must') return 'failed';
  return level === 'inferred' ? 'warned' : 'noted';
}
