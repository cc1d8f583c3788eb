import { clauses, type Clause } from './clauses.ts';

/**
 * The clause that a schema rule belongs to, by the pointers that `validate` and `rulesOf` use. A pattern covers a
 * pointer that it equals or is the beginning of, segment by segment, `*` standing for any one. Of several the longest
 * wins, then the one with the fewest `*`. `undefined` for rules of no clause: those of requests, which are ours.
 */
export function clauseOfPointer(pointer: string): Clause | undefined {
  if (!foundClauses.has(pointer)) foundClauses.set(pointer, find(pointer));
  return foundClauses.get(pointer);
}

/** Whether a pattern of a clause covers a pointer. */
export function covers(pattern: string, pointer: string): boolean {
  return coversSegments(segmentsOf(pattern), segmentsOf(pointer));
}

interface Pattern {
  readonly clause: Clause;
  readonly segments: readonly string[];
}

/** Most specific first, so that the first match is the answer. */
const pointerPatterns: readonly Pattern[] = clauses
  .flatMap((clause) => clause.schema.map((pattern) => ({ clause, segments: segmentsOf(pattern) })))
  .toSorted((a, b) => b.segments.length - a.segments.length || wildcardsIn(a) - wildcardsIn(b));

const foundClauses = new Map<string, Clause | undefined>();

function find(pointer: string): Clause | undefined {
  const segments = segmentsOf(pointer);
  return pointerPatterns.find((pattern) => coversSegments(pattern.segments, segments))?.clause;
}

function coversSegments(pattern: readonly string[], pointer: readonly string[]): boolean {
  return (
    pattern.length <= pointer.length &&
    pattern.every((segment, index) => segment === '*' || segment === pointer[index])
  );
}

/** `message#/required/id` as `message`, `required`, `id`. */
function segmentsOf(pointer: string): readonly string[] {
  return pointer.replace('#', '').split('/');
}

function wildcardsIn({ segments }: Pattern): number {
  return segments.filter((segment) => segment === '*').length;
}
