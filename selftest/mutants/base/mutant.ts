import { type ClauseId, clauseOf } from '../../../spec/index.ts';
import { type Sources, trueSources } from '../../../reference/model/sources.ts';
import { type Doing, type Overlay, overlayOf } from './overlay.ts';

/** A server that keeps the contract but for one clause. */
export interface Mutant extends Startable {
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
}

/** A server that is started with something wrong. */
export interface Startable {
  /** How to start the reference so that it does this; made again for each start, since some remember what they saw. */
  readonly options: () => Overlay;
  /** The same as what lies over the contract's rules, by the time of some sources. */
  readonly overlay: (sources: Sources) => Overlay;
}

/** What a mutant does. */
export type Fault = Doing<Sources>;

/**
 * Makes one mutant.
 * @throws Error on a clause that is never judged
 */
export function mutant(id: string, clause: ClauseId, sentence: string, fault: Fault): Mutant {
  const { level } = clauseOf(clause);
  if (level === 'silent') throw new Error(`mutant ${id} breaks ${clause}, which says nothing`);
  return { id, clause, level, what: sentence, ...startable(fault) };
}

/** What does something wrong from its start on. */
export function startable(fault: Fault): Startable {
  const overlay = (sources: Sources): Overlay => overlayOf(fault, sources);
  return { overlay, options: () => ({ ...overlay(trueSources) }) };
}

/** A mutant that takes the good credential of a role for a wrong one, which is all that it breaks. */
export function refusing(role: string, made: Mutant): Mutant {
  return { ...made, refuses: role };
}

/** What mutants of some clauses do, by their ids; behind the id and a colon may stand the sentence about the server. */
export type ByClause<Value> = Readonly<Partial<Record<ClauseId, Readonly<Record<string, Value>>>>>;

/** The rows of such a table: an id that needs no sentence says it itself. */
export function rowsOf<Value>(table: ByClause<Value>): readonly {
  readonly id: string;
  readonly clause: ClauseId;
  readonly what: string;
  readonly value: Value;
}[] {
  return Object.entries(table).flatMap(([clause, rows]) =>
    Object.entries(rows).map(([name, value]) => ({ ...named(name), clause: clause as ClauseId, value })),
  );
}

/** The id and the sentence of a row. */
export function named(name: string): { readonly id: string; readonly what: string } {
  const [, id = name, what = inWords(name)] = /^([^:]+): (.*)$/.exec(name) ?? [];
  return { id, what };
}

/** The mutants of some clauses. */
export function breaking(table: ByClause<Fault>): Mutant[] {
  return rowsOf(table).map(({ id, clause, what, value }) => mutant(id, clause, what, value));
}

/** A name as words. */
export function inWords(id: string): string {
  return id.replaceAll('-', ' ');
}
