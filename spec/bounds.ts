import { clauseOfPointer } from './clause-of-pointer.ts';
import type { ClauseId } from './clauses.ts';
import { schemaNames, schemaOf, walkSchema, type SchemaNode } from './schemas.ts';

/** A length that a schema bounds. A value that is shorter, or longer than the least, tells nothing of whether it is kept. */
interface SchemaBound {
  readonly isReachedBy: (value: unknown) => boolean;
  /** Of what it bounds: `of 255 characters`. */
  readonly words: string;
}

/** The bound that a keyword of a schema sets; `undefined` for every other keyword. */
export function boundOf(keyword: string, node: SchemaNode): SchemaBound | undefined {
  const { minLength, maxLength, maxItems } = node;
  if (keyword === 'maxItems' && maxItems !== undefined) {
    const isReachedBy = (value: unknown): boolean => Array.isArray(value) && value.length >= maxItems;
    return { isReachedBy, words: `with ${maxItems} elements` };
  }
  if (keyword === 'maxLength' && maxLength !== undefined)
    return { isReachedBy: (value) => charactersInValue(value) >= maxLength, words: charactersOf(maxLength) };
  if (keyword === 'minLength' && minLength !== undefined)
    return { isReachedBy: (value) => charactersInValue(value) <= minLength, words: charactersOf(minLength) };
  return undefined;
}

/** The bounds of answers that a clause sets, in words by the pointers of their rules; mostly none. */
export function boundsOfClause(clause: ClauseId): ReadonlyMap<string, string> {
  return (boundsOfClauses ??= boundsByClause()).get(clause) ?? none;
}

const none: ReadonlyMap<string, string> = new Map();
let boundsOfClauses: ReadonlyMap<ClauseId, ReadonlyMap<string, string>> | undefined;

function boundsByClause(): ReadonlyMap<ClauseId, ReadonlyMap<string, string>> {
  const found = new Map<ClauseId, Map<string, string>>();
  for (const name of schemaNames) {
    walkSchema(schemaOf(name), `${name}#`, (node, pointer) => {
      for (const keyword of ['minLength', 'maxLength', 'maxItems']) {
        const rule = `${pointer}/${keyword}`;
        const [words, clause] = [boundOf(keyword, node)?.words, clauseOfPointer(rule)?.id];
        if (words === undefined || clause === undefined) continue;
        const own = found.get(clause) ?? new Map<string, string>();
        found.set(clause, own.set(rule, `\`${pointer.slice(pointer.lastIndexOf('/') + 1)}\` ${words}`));
      }
    });
  }
  return found;
}

/** No number for what is not a text. */
function charactersInValue(value: unknown): number {
  return typeof value === 'string' ? Array.from(value).length : Number.NaN;
}

function charactersOf(count: number): string {
  return `of ${count} character${count === 1 ? '' : 's'}`;
}
