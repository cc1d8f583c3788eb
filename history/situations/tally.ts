import type { ClauseId } from '../../spec/index.ts';
import type { History } from '../operation.ts';
import { situationsIn, type Situation } from './arising.ts';
import { declarations, type Declaration } from './declared.ts';
import type { DimensionName } from './dimensions.ts';
import { ArisenPairs, hasPair, pairsOf } from './pairs.ts';

/** Of how many situations, pairs of values along what it declares, a history put a clause to the test. */
export interface ClauseTally {
  readonly clause: ClauseId;
  readonly along: readonly DimensionName[];
  readonly pairs: number;
  readonly seen: number;
  /** Those that never arose, as `limit 99, reader peer`. */
  readonly missing: readonly string[];
}

/** The pairs that each clause declares, without a history to count in. */
export function declaredPairs(): readonly ClauseTally[] {
  return entries().map(([clause, declaration]) => tallyOfClause(clause, declaration, undefined));
}

/** How many of its declared situations arose for each clause: accepted reads, and the messages on them that the run sent. */
export function tallyOf(history: History): readonly ClauseTally[] {
  const arisen = new Map<string, { readonly declaration: Declaration; readonly pairs: ArisenPairs }>();
  for (const [, declaration] of entries())
    arisen.set(keyOf(declaration), { declaration, pairs: new ArisenPairs(declaration) });
  for (const situation of situationsIn(history)) {
    for (const { declaration, pairs } of arisen.values())
      if (isAbout(declaration, situation)) pairs.add(situation.values);
  }
  return entries().map(([clause, declaration]) =>
    tallyOfClause(clause, declaration, arisen.get(keyOf(declaration))?.pairs),
  );
}

function tallyOfClause(
  clause: ClauseId,
  declaration: Declaration,
  arisen: ArisenPairs | undefined,
): ClauseTally {
  const pairs = pairsOf(declaration);
  const missing = pairs.filter((pair) => arisen?.has(pair) !== true).map(({ name }) => name);
  const { along } = declaration;
  return { clause, along, pairs: pairs.length, seen: pairs.length - missing.length, missing };
}

/** Those of some clauses that no declared situation of theirs ever arose for; clauses that declare none are left out. */
export function unreachedIn(history: History, clauses: Iterable<ClauseId>): ReadonlySet<ClauseId> {
  const declaring = new Map(
    [...clauses].flatMap((clause) => {
      const declaration = declarations[clause];
      return declaration === undefined ? [] : [[clause, declaration] as const];
    }),
  );
  if (declaring.size === 0) return new Set();
  for (const situation of situationsIn(history)) {
    for (const [clause, declaration] of declaring) {
      if (isAbout(declaration, situation) && hasPair(situation.values, declaration)) declaring.delete(clause);
    }
    // Where all can be reached that is soon so.
    if (declaring.size === 0) break;
  }
  return new Set(declaring.keys());
}

function isAbout(declaration: Declaration, { subject, call }: Situation): boolean {
  return declaration.subject === subject && (declaration.call ?? call) === call;
}

function entries(): readonly (readonly [ClauseId, Declaration])[] {
  return Object.entries(declarations) as [ClauseId, Declaration][];
}

/** Clauses that declare the same have the same situations. */
function keyOf(declaration: Declaration): string {
  return JSON.stringify(declaration);
}
