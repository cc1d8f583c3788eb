import { clauseOf } from '../../../spec/index.ts';
import type { ClauseId } from '../../../spec/index.ts';
import { contractRules, type Rules } from '../../../reference/rules/rules.ts';
import type { Settings } from '../../../reference/model/settings.ts';
import type { ReferenceOptions } from '../../../reference/start.ts';
import type { AnswerHook } from '../../../reference/model/answer.ts';

/** A server that keeps the contract but for one clause. */
export interface Mutant {
  /** Slug that says what it does wrong. */
  readonly id: string;
  /** The clause it breaks. */
  readonly clause: ClauseId;
  /** Of that clause: `must` has to be found failed, `inferred` warned. */
  readonly level: 'must' | 'inferred';
  /** What it does, as a sentence about the server. */
  readonly what: string;
  /**
   * The role whose good credential it refuses everywhere, so that no check can tell it from a wrong one: it is killed by a
   * run that ends before its checks and says so.
   */
  readonly refuses?: string;
  /** How to start the reference so that it does this; made anew for each start, since some remember what they saw. */
  readonly options: () => MutantOptions;
}

export type MutantOptions = Pick<ReferenceOptions, 'rules' | 'answer' | 'settings'>;

/** What a mutant changes; every rule that is not named stays the contract's. */
export interface Overlay {
  readonly rules?: Partial<Rules>;
  readonly answer?: AnswerHook;
  readonly settings?: Partial<Settings>;
}

/**
 * Makes a mutant from an overlay, or from a function that makes one for each start.
 * @throws Error on a clause that is never judged
 */
export function mutant(
  id: string,
  clause: ClauseId,
  what: string,
  overlay: Overlay | (() => Overlay),
): Mutant {
  const { level } = clauseOf(clause);
  if (level === 'silent') throw new Error(`mutant ${id} breaks ${clause}, which says nothing`);
  const options = (): MutantOptions => {
    const { rules, ...rest } = typeof overlay === 'function' ? overlay() : overlay;
    return { ...rest, ...(rules && { rules: { ...contractRules, ...rules } }) };
  };
  return { id, clause, level, what, options };
}

/** A mutant that takes the good credential of a role for a wrong one, which is all that it breaks. */
export function refusing(role: string, made: Mutant): Mutant {
  return { ...made, refuses: role };
}

/** The mutants that one rule alone makes: `[id, clause, what, rules]` a row. */
export function ruleMutants(
  rows: readonly (readonly [id: string, clause: ClauseId, what: string, rules: Partial<Rules>])[],
): Mutant[] {
  return rows.map(([id, clause, what, rules]) => mutant(id, clause, what, { rules }));
}
