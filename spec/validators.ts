import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { quickToMake } from './own-schemas.ts';
import { formats } from './formats.ts';
import { type SchemaName, schemaNames, type SchemaNode, schemaOf, walkSchema } from './schemas.ts';
import { grouped, remembered } from './groups.ts';

/** One rule of one schema that a value breaks. */
export interface SchemaProblem {
  /**
   * The broken rule as `<schema>#/<path of the keyword>`, in the schema that states it, however deeply that one was
   * nested in what was validated. `required` names the missing key: `message#/required/content`.
   */
  readonly pointer: string;
  readonly schema: SchemaName;
  readonly keyword: string;
  /** JSON Pointer to the offending value within the validated one; for a missing or extra key, to its object. */
  readonly instancePath: string;
  /** A short clause in words; values longer than 60 characters are described, not quoted. */
  readonly message: string;
}

/**
 * The rules of a schema that `value` breaks, most basic first: of rules about one value that all follow from one
 * fault (a wrong type also has no valid format) only the first is named. Empty when the value is valid.
 * Integers may be bigints, as an exact JSON parser delivers them.
 */
export function validate(name: SchemaName, value: unknown): readonly SchemaProblem[] {
  const check = schemaValidator(name);
  const problems = new Map<string, SchemaProblem>();
  for (const { value: part, inWhole } of windowsOf(containsBigInt(value) ? withNumbers(value) : value)) {
    if (check(part)) continue;
    for (const error of (check.errors ?? []).filter(isRule)) {
      const problem = toProblem({ ...error, instancePath: inWhole(error.instancePath) });
      problems.set(`${problem.pointer} ${problem.instancePath} ${JSON.stringify(error.params)}`, problem);
    }
    if (problems.size >= mostProblems) break;
  }
  return withoutConsequences([...problems.values()]);
}

/** Whoever breaks so many rules in one value is not looked at further. */
const mostProblems = 1_000;

/** Compiles every schema ahead of its first use, where there is time for it: that takes a tenth of a second. */
export function prepareValidation(): void {
  for (const name of schemaNames) schemaValidator(name);
}

/** Whether a conditional schema of ours (an `if`) applies to a value. */
export function matches(condition: SchemaNode, value: unknown): boolean {
  return schemaAjv().compile(condition)(value);
}

let instance: Ajv2020 | undefined;
const compiledSchemas = new Map<SchemaName, ValidateFunction>();
const pointers = new WeakMap<object, string>();

function schemaAjv(): Ajv2020 {
  if (instance !== undefined) return instance;
  instance = new Ajv2020({
    allErrors: true,
    strict: true,
    // The per-provider rules restrict properties whose type is declared once, in the main part of the schema.
    strictTypes: false,
    inlineRefs: false,
    // Errors carry the schema object that they come from: it is how a rule is located across files.
    verbose: true,
    ownProperties: true,
    ...quickToMake,
    formats,
  });
  for (const name of schemaNames) {
    const schema = schemaOf(name);
    walkSchema(schema, `${name}#`, (node, pointer) => pointers.set(node, pointer));
    instance.addSchema(schema);
  }
  return instance;
}

function schemaValidator(name: SchemaName): ValidateFunction {
  return remembered(compiledSchemas, name, () => {
    const check = schemaAjv().getSchema(`${name}.schema.json`);
    if (check === undefined) throw new Error(`schema "${name}" was not registered`);
    return check;
  });
}

/** False for what only says that one of its parts failed, which is reported itself, and for what may not be broken. */
function isRule(error: ErrorObject): boolean {
  if (mayBeWithin(error)) return false;
  if (error.keyword === 'if' || error.keyword === 'anyOf') return false;
  return !/\/anyOf\/\d+$/.test(pointerOf(error));
}

/** What a character is the contract leaves open: who counts those that a reader sees takes a text with more code points. */
function mayBeWithin({ keyword, data, params }: ErrorObject): boolean {
  if (keyword !== 'maxLength' || typeof data !== 'string') return false;
  const most = Number(params['limit']);
  // No text is looked at for longer than it takes to tell.
  const seen = graphemes.segment(data)[Symbol.iterator]();
  for (let count = 0; count <= most; count += 1) if (seen.next().done === true) return true;
  return false;
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

function pointerOf(error: ErrorObject): string {
  const pointer = pointers.get(error.parentSchema as object);
  if (pointer === undefined) throw new Error(`an error came from an unknown schema, at ${error.schemaPath}`);
  return pointer;
}

function toProblem(error: ErrorObject): SchemaProblem {
  const base = pointerOf(error);
  const missing = error.keyword === 'required' ? `/${String(error.params['missingProperty'])}` : '';
  return {
    pointer: `${base}/${error.keyword}${missing}`,
    schema: base.slice(0, base.indexOf('#')) as SchemaName,
    keyword: error.keyword,
    instancePath: error.instancePath,
    message: describeProblem(error),
  };
}

/** Which keywords hide which others at the same place, because breaking the first implies breaking the others. */
const hides: Readonly<Record<string, readonly string[]>> = {
  maxLength: ['pattern', 'format'],
  pattern: ['format'],
};

function withoutConsequences(problems: readonly SchemaProblem[]): readonly SchemaProblem[] {
  const atSamePlace = grouped(problems, ({ instancePath }) => instancePath);
  return problems.filter(
    (problem) => !atSamePlace.get(problem.instancePath)?.some((other) => implies(other, problem)),
  );
}

function implies(cause: SchemaProblem, problem: SchemaProblem): boolean {
  if (cause === problem) return false;
  if (cause.keyword === 'type') return problem.keyword !== 'type';
  if (hides[cause.keyword]?.includes(problem.keyword) === true) return true;
  // A narrower form of the same rule (a provider's surfaces, the stricter timestamp) sits in an `allOf`.
  return cause.keyword === problem.keyword && isNarrower(problem.pointer) && !isNarrower(cause.pointer);
}

function isNarrower(pointer: string): boolean {
  return pointer.includes('/allOf/');
}

function containsBigInt(value: unknown): boolean {
  if (typeof value === 'bigint') return true;
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(containsBigInt);
}

function withNumbers(value: unknown): unknown {
  // Beyond all numbers it is an integer all the same.
  if (typeof value === 'bigint')
    return Math.max(-Number.MAX_VALUE, Math.min(Number(value), Number.MAX_VALUE));
  if (Array.isArray(value)) return value.map(withNumbers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withNumbers(member)]));
}

/** Items of one list that are validated at once: what is wrong with each is gathered in a time that grows by the square. */
const windowItems = 500;

/** A value with a part of each of its long lists. */
interface Window {
  readonly value: unknown;
  /** The JSON Pointer of the same place in the whole value. */
  readonly inWhole: (pointer: string) => string;
}

/** The value itself, if it has no long list; else in turn with the items of each list up to the 500th, up to the 1000th … */
export function* windowsOf(value: unknown): Generator<Window> {
  const longest = longestListIn(value);
  if (longest <= windowItems) {
    yield { value, inWhole: (pointer) => pointer };
    return;
  }
  for (let from = 0; from < longest; from += windowItems) {
    const starts = new Map<unknown, number>();
    const part = partOfList(value, from, starts);
    yield { value: part, inWhole: (pointer) => movedPointer(pointer, part, starts) };
  }
}

function longestListIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let longest = Array.isArray(value) ? value.length : 0;
  for (const member of Object.values(value)) longest = Math.max(longest, longestListIn(member));
  return longest;
}

/** Lists that are at their end give their last items again. */
function partOfList(value: unknown, from: number, starts: Map<unknown, number>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, partOfList(each, from, starts)]),
    );
  const start = Math.max(0, Math.min(from, value.length - windowItems));
  const part = value.slice(start, start + windowItems).map((each) => partOfList(each, from, starts));
  if (start > 0) starts.set(part, start);
  return part;
}

function movedPointer(pointer: string, part: unknown, starts: ReadonlyMap<unknown, number>): string {
  let at = part;
  return pointer
    .split('/')
    .map((step, depth) => {
      if (depth === 0 || typeof at !== 'object' || at === null) return step;
      const start = starts.get(at) ?? 0;
      at = (at as Readonly<Record<string, unknown>>)[step.replaceAll('~1', '/').replaceAll('~0', '~')];
      return start === 0 ? step : String(Number(step) + start);
    })
    .join('/');
}

/** Longest value or key, in UTF-16 units of its JSON text, that a message quotes; others are described. */
const longestQuote = 60;

/** Says in a few words what is wrong with the value that a (verbose) validation error is about. */
function describeProblem(error: ErrorObject): string {
  const describe = descriptions[error.keyword];
  return describe === undefined ? `${quoteValue(error.data)} breaks "${error.keyword}"` : describe(error);
}

const descriptions: Readonly<Record<string, (error: ErrorObject) => string>> = {
  type: ({ schema, data }) => `should be ${anyOf(schema)}, is ${typeName(data)}`,
  required: ({ params }) => `lacks ${quoteValue(params['missingProperty'])}`,
  additionalProperties: ({ params }) =>
    `has the undeclared field ${quoteValue(params['additionalProperty'])}`,
  enum: ({ schema, data }) => `${quoteValue(data)} is none of ${(schema as string[]).join(', ')}`,
  const: ({ schema, data }) => `${quoteValue(data)} is not ${JSON.stringify(schema)}`,
  format: ({ schema, data }) => `${quoteValue(data)} is not a valid ${String(schema)}`,
  pattern: ({ schema, data }) => `${quoteValue(data)} does not match ${String(schema)}`,
  not: ({ data }) => `${quoteValue(data)} is not allowed here`,
  minimum: ({ schema, data }) => `${quoteValue(data)} is below ${String(schema)}`,
  minLength: ({ schema, data }) => `${quoteValue(data)} is shorter than ${String(schema)} characters`,
  maxLength: ({ schema, data }) => `${quoteValue(data)} is longer than ${String(schema)} characters`,
  maxItems: ({ schema, data }) => `has ${(data as unknown[]).length} items, more than ${String(schema)}`,
  uniqueItems: ({ params }) => `items ${String(params['j'])} and ${String(params['i'])} are equal`,
};

function anyOf(types: unknown): string {
  return Array.isArray(types) ? types.join(' or ') : String(types);
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

function quoteValue(value: unknown): string {
  if (typeof value === 'string' && value.length > longestQuote)
    return `a string of ${value.length} characters`;
  const text = JSON.stringify(value);
  return text.length > longestQuote ? `a long ${typeName(value)}` : text;
}
