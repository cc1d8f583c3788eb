import { boundOf } from './bounds.ts';
import { schemaNameOfRef, schemaOf, walkSchema, type SchemaName, type SchemaNode } from './schemas.ts';
import { matches } from './validators.ts';
import { remembered } from './groups.ts';

/**
 * Every rule that a schema states itself, as the pointers that `validate` reports: one per required key, and one per
 * keyword that can refuse a value. Rules of referenced schemas belong to those.
 */
export function rulesOf(name: SchemaName): readonly string[] {
  const rules: string[] = [];
  walkSchema(schemaOf(name), `${name}#`, (node, pointer) => {
    // A condition refuses nothing, `not` refuses as a whole, and of an `anyOf` (object or null) the object refuses.
    if (/\/(?:if|not|anyOf\/\d+)(?:\/|$)/.test(pointer)) return;
    for (const key of node.required ?? []) rules.push(`${pointer}/required/${key}`);
    for (const keyword of refusingKeywords(node)) rules.push(`${pointer}/${keyword}`);
  });
  return rules;
}

/**
 * The rules that a value, valid or not, really put to the test: with a property that is absent, an array that is
 * empty or a provider that is another one, a rule about it proves nothing, and a bound only where it was reached. Beside the pointers that `validate`
 * reports, the list holds `…/properties/<key>` for each declared key present, and `…/items` for each array not empty.
 * Each is named once.
 */
export function exercised(name: SchemaName, value: unknown): readonly string[] {
  const found = new FoundPart();
  visitorOf(name)(value, found);
  return found.pointers;
}

interface Rule {
  readonly pointer: string;
  /** The last value that put it to the test. */
  foundIn: FoundPart | undefined;
}

/** What one value puts to the test. A page meets the same rules with every item, too often to look each up in a set. */
class FoundPart {
  readonly pointers: string[] = [];

  add(rule: Rule): void {
    if (rule.foundIn === this) return;
    rule.foundIn = this;
    this.pointers.push(rule.pointer);
  }
}

function ruleAt(pointer: string): Rule {
  return { pointer, foundIn: undefined };
}

/** Adds the rules that a value puts to the test. */
type Visitor = (value: unknown, found: FoundPart) => void;

const visitors = new Map<SchemaName, Visitor>();

/** Compiled once per schema, with its pointers ready-made: every answer of a run goes through here. */
function visitorOf(name: SchemaName): Visitor {
  return remembered(visitors, name, () => compile(schemaOf(name), `${name}#`));
}

function compile(node: SchemaNode, pointer: string): Visitor {
  const ownRules = compileKeywords(node, pointer);
  const parts = [
    compileReference(node),
    compileObject(node, pointer),
    compileItems(node, pointer),
    ...compileCombined(node, pointer),
  ].filter((part) => part !== undefined);
  return (value, found) => {
    ownRules(value, found);
    for (const visit of parts) visit(value, found);
  };
}

/** Which rules a value puts to the test hangs on its kind alone, but for bounds: they are found once for each kind. */
function compileKeywords(node: SchemaNode, pointer: string): Visitor {
  const all = refusingKeywords(node).map((keyword) => ({
    keyword,
    rule: ruleAt(`${pointer}/${keyword}`),
    bound: boundOf(keyword, node),
  }));
  const rules = all.filter(({ bound }) => bound === undefined);
  const bounds = all.flatMap(({ rule, bound }) => (bound === undefined ? [] : [{ rule, ...bound }]));
  const byKind = valueKinds.map((kind) => ({
    rules: rules.filter(({ keyword }) => appliesTo(keyword, kind)).map(({ rule }) => rule),
    foundIn: undefined as FoundPart | undefined,
  }));
  return (value, found) => {
    for (const { rule, isReachedBy } of bounds) if (isReachedBy(value)) found.add(rule);
    const ofKind = byKind[kindOf(value)];
    if (ofKind === undefined || ofKind.foundIn === found) return;
    ofKind.foundIn = found;
    for (const rule of ofKind.rules) found.add(rule);
  };
}

function compileReference({ $ref }: SchemaNode): Visitor | undefined {
  if ($ref === undefined) return undefined;
  let visit: Visitor | undefined;
  // Schemas may refer to one another in a circle: it is looked up when it is needed.
  return (value, found) => (visit ??= visitorOf(schemaNameOfRef($ref)))(value, found);
}

function compileObject(node: SchemaNode, pointer: string): Visitor | undefined {
  if (node.required === undefined && node.properties === undefined) return undefined;
  const required = (node.required ?? []).map((key) => ruleAt(`${pointer}/required/${key}`));
  const properties = Object.entries(node.properties ?? {}).map(([key, child]) => {
    const property = `${pointer}/properties/${key}`;
    return { key, property: ruleAt(property), visit: compile(child, property) };
  });
  return (value, found) => {
    if (!isObject(value)) return;
    for (const rule of required) found.add(rule);
    for (const { key, property, visit } of properties) {
      if (!Object.hasOwn(value, key)) continue;
      found.add(property);
      visit(value[key], found);
    }
  };
}

function compileItems({ items }: SchemaNode, pointer: string): Visitor | undefined {
  if (items === undefined) return undefined;
  const rule = ruleAt(`${pointer}/items`);
  const visit = compile(items, rule.pointer);
  return (value, found) => {
    if (!Array.isArray(value) || value.length === 0) return;
    found.add(rule);
    for (const item of value) visit(item, found);
  };
}

function compileCombined(node: SchemaNode, pointer: string): Visitor[] {
  const visitors = (node.allOf ?? []).map((part, index) => compile(part, `${pointer}/allOf/${index}`));
  const { if: condition, then } = node;
  if (condition !== undefined && then !== undefined) {
    const visit = compile(then, `${pointer}/then`);
    visitors.push((value, found) => {
      if (isObject(value) && matches(condition, value)) visit(value, found);
    });
  }
  // Our only use of `anyOf` is a referenced object or null.
  for (const branch of node.anyOf ?? []) {
    if (branch.$ref === undefined) continue;
    const visit = compile(branch, pointer);
    visitors.push((value, found) => {
      if (value !== null) visit(value, found);
    });
  }
  return visitors;
}

type RefusingKeyword = (typeof allRefusingKeywords)[number];

const allRefusingKeywords = [
  'type',
  'additionalProperties',
  'enum',
  'const',
  'not',
  'minimum',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'maxItems',
  'uniqueItems',
] as const;

function refusingKeywords(node: SchemaNode): readonly RefusingKeyword[] {
  return allRefusingKeywords.filter((keyword) =>
    keyword === 'additionalProperties' ? node[keyword] === false : node[keyword] !== undefined,
  );
}

/** Kinds of values that keywords tell apart. */
const valueKinds = ['other', 'number', 'text', 'empty list', 'list', 'object'] as const;
type Kind = (typeof valueKinds)[number];

/** The place of its kind in `kinds`. */
function kindOf(value: unknown): number {
  switch (typeof value) {
    case 'number':
    case 'bigint':
      return 1;
    case 'string':
      return 2;
    case 'object':
      if (value === null) return 0;
      if (!Array.isArray(value)) return 5;
      return value.length === 0 ? 3 : 4;
    default:
      return 0;
  }
}

function appliesTo(keyword: RefusingKeyword, kind: Kind): boolean {
  switch (keyword) {
    case 'additionalProperties':
      return kind === 'object';
    case 'minimum':
      return kind === 'number';
    case 'pattern':
    case 'format':
      return kind === 'text';
    case 'uniqueItems':
      return kind === 'list';
    default:
      return true;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
