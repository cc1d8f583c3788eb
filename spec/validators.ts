import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { quickToMake } from './ajv-options.ts';
import { formats } from './formats.ts';
import { windowsOf } from './long-lists.ts';
import { describeProblem } from './problem-message.ts';
import { schemaNames, schemaOf, walkSchema, type SchemaName, type SchemaNode } from './schemas.ts';

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
  let check = compiledSchemas.get(name);
  if (check === undefined) {
    check = schemaAjv().getSchema(`${name}.schema.json`);
    if (check === undefined) throw new Error(`schema "${name}" was not registered`);
    compiledSchemas.set(name, check);
  }
  return check;
}

/** False for what only says that one of its parts failed: the part is reported itself. */
function isRule(error: ErrorObject): boolean {
  if (error.keyword === 'if' || error.keyword === 'anyOf') return false;
  return !/\/anyOf\/\d+$/.test(pointerOf(error));
}

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
  const atSamePlace = new Map<string, SchemaProblem[]>();
  for (const problem of problems) {
    const others = atSamePlace.get(problem.instancePath);
    if (others === undefined) atSamePlace.set(problem.instancePath, [problem]);
    else others.push(problem);
  }
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
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(withNumbers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withNumbers(member)]));
}
