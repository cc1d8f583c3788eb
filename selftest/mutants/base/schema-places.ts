import { type SchemaName, type SchemaNode, schemaOf } from '../../../spec/index.ts';

/** What is put in the place of a value; `undefined` takes the key away. */
export type Spoil = (value: unknown, node: SchemaNode) => unknown;

/**
 * A copy of `value`, an instance of the schema `name`, in which every value that the schema node at `pointer` describes
 * is spoiled. A scalar that may be absent and is gets the spoiled value; an object or a list has to be there.
 */
export function spoilAt(name: SchemaName, value: unknown, pointer: string, spoil: Spoil): unknown {
  return spoilNode({ pointer, spoil }, schemaOf(name), `${name}#`, value);
}

/** The schema node at a pointer, without its keyword. */
export function nodeAt(pointer: string): SchemaNode {
  const [name = '', path = ''] = pointer.split('#');
  let node: unknown = schemaOf(name as SchemaName);
  for (const step of path.split('/').slice(1)) node = (node as Readonly<Record<string, unknown>>)[step];
  return node as SchemaNode;
}

/** The schemas that an instance of `name` may hold, itself included. */
export function schemasWithin(name: SchemaName): ReadonlySet<SchemaName> {
  const found = new Set<SchemaName>();
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, child] of Object.entries(node)) {
      if (key === '$ref') add(nameOfRef(String(child)));
      else visit(child);
    }
  };
  const add = (each: SchemaName): void => {
    if (found.has(each)) return;
    found.add(each);
    visit(schemaOf(each));
  };
  add(name);
  return found;
}

interface Place {
  readonly pointer: string;
  readonly spoil: Spoil;
}

function spoilNode(place: Place, node: SchemaNode, pointer: string, value: unknown): unknown {
  let spoiled = value;
  if (node.$ref !== undefined) {
    const name = nameOfRef(node.$ref);
    spoiled = spoilNode(place, schemaOf(name), `${name}#`, spoiled);
  }
  for (const branch of node.anyOf ?? []) {
    if (branch.$ref !== undefined && spoiled !== null) spoiled = spoilNode(place, branch, pointer, spoiled);
  }
  spoiled = spoilProperties(place, node, pointer, spoiled);
  if (Array.isArray(spoiled) && node.items !== undefined) {
    const { items } = node;
    spoiled = spoiled.map((item: unknown) => spoilNode(place, items, `${pointer}/items`, item));
  }
  for (const [index, part] of (node.allOf ?? []).entries()) {
    spoiled = spoilNode(place, part, `${pointer}/allOf/${index}`, spoiled);
  }
  if (node.then !== undefined && appliesTo(node.if, value)) {
    spoiled = spoilNode(place, node.then, `${pointer}/then`, spoiled);
  }
  return pointer === place.pointer ? place.spoil(spoiled, node) : spoiled;
}

function spoilProperties(place: Place, node: SchemaNode, pointer: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const spoiled: Record<string, unknown> = { ...value };
  for (const [key, child] of Object.entries(node.properties ?? {})) {
    const childPointer = `${pointer}/properties/${key}`;
    if (Object.hasOwn(spoiled, key)) spoiled[key] = spoilNode(place, child, childPointer, spoiled[key]);
    else if (childPointer === place.pointer && isScalar(child)) spoiled[key] = place.spoil(undefined, child);
  }
  return spoiled;
}

/** Our conditions only ask for constants. */
function appliesTo(condition: SchemaNode | undefined, value: unknown): boolean {
  return Object.entries(condition?.properties ?? {}).every(
    ([key, { const: wanted }]) => (value as Readonly<Record<string, unknown>>)[key] === wanted,
  );
}

function isScalar({ type }: SchemaNode): boolean {
  const types = typeof type === 'string' ? [type] : (type ?? []);
  return types.length > 0 && !types.includes('object') && !types.includes('array');
}

function nameOfRef(ref: string): SchemaName {
  return ref.replace('.schema.json', '') as SchemaName;
}
