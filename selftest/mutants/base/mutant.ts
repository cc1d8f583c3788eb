import { type ClauseId, clauseOf } from '../../../spec/index.ts';
import { contractRules, type Rules } from '../../../reference/rules/rules.ts';
import type { Settings } from '../../../reference/model/settings.ts';
import type { ReferenceOptions } from '../../../reference/start.ts';
import type { AnswerHook } from '../../../reference/model/answer.ts';
import { type Sources, trueSources } from '../../../reference/model/sources.ts';

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
  /** Whose checks put it to the test first, where those of its clause alone need not. */
  readonly area?: string;
  /** How to start the reference so that it does this; made again for each start, since some remember what they saw. */
  readonly options: () => MutantOptions;
  /** The same as what lies over the contract's rules, by the time of some sources. */
  readonly overlay: (sources: Sources) => Overlay;
}

export type MutantOptions = Pick<ReferenceOptions, 'rules' | 'answer' | 'settings'>;

/** What a mutant changes; every rule that is not named stays the contract's. */
export interface Overlay {
  readonly rules?: Partial<Rules>;
  readonly answer?: AnswerHook;
  readonly settings?: Partial<Settings>;
}

/** What a mutant does: the rules that it replaces, or an overlay; a function makes one for each start. */
type Fault = Partial<Rules> | Overlay | ((sources: Sources) => Partial<Rules> | Overlay);

/**
 * Makes one mutant.
 * @throws Error on a clause that is never judged
 */
export function mutant(id: string, clause: ClauseId, sentence: string, fault: Fault): Mutant {
  const { level } = clauseOf(clause);
  if (level === 'silent') throw new Error(`mutant ${id} breaks ${clause}, which says nothing`);
  const overlay = (sources: Sources): Overlay =>
    overlayOf(typeof fault === 'function' ? fault(sources) : fault);
  return { id, clause, level, what: sentence, overlay, options: () => optionsOf(overlay(trueSources)) };
}

/** How to start the reference with an overlay. */
export function optionsOf({ rules, ...rest }: Overlay): MutantOptions {
  return { ...rest, ...(rules && { rules: { ...contractRules, ...rules } as Rules }) };
}

function overlayOf(fault: Partial<Rules> | Overlay): Overlay {
  const isOverlay = 'rules' in fault || 'answer' in fault || 'settings' in fault;
  return isOverlay ? fault : { rules: fault as Partial<Rules> };
}

/** A mutant that takes the good credential of a role for a wrong one, which is all that it breaks. */
export function refusing(role: string, made: Mutant): Mutant {
  return { ...made, refuses: role };
}

/** Something for each mutant of some clauses, by clause and name. */
export type ByClause<Value> = Readonly<Partial<Record<ClauseId, Readonly<Record<string, Value>>>>>;

/** The rows of such a table. */
export function rowsOf<Value>(
  table: ByClause<Value>,
): readonly { readonly id: string; readonly clause: ClauseId; readonly value: Value }[] {
  return Object.entries(table).flatMap(([clause, rows]) =>
    Object.entries(rows).map(([id, value]) => ({ id, clause: clause as ClauseId, value })),
  );
}

/** The mutants of some clauses by their names; a name in words is the sentence about the server where none is given. */
export function breaking(table: ByClause<Fault | Described>): Mutant[] {
  return rowsOf(table).map(({ id, clause, value }) =>
    value instanceof Described
      ? mutant(id, clause, value.sentence, value.fault)
      : mutant(id, clause, id.replaceAll('-', ' '), value),
  );
}

/** Gives a mutant of a table a sentence of its own. */
export function what(sentence: string, fault: Fault): Described {
  return new Described(sentence, fault);
}

class Described {
  readonly sentence: string;
  readonly fault: Fault;

  constructor(sentence: string, fault: Fault) {
    this.sentence = sentence;
    this.fault = fault;
  }
}
