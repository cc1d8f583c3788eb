import { readFileSync } from 'node:fs';
import { packageFile } from './package-file.ts';
import { remembered } from './groups.ts';

/** One name per resource and body of the contract; `<name>.schema.json` holds its JSON Schema. */
export const schemaNames = [
  'mention',
  'message-list-page',
  'message',
  'message-author',
  'message-author-human-user',
  'message-author-machine',
  'source-session',
  'message-receipts',
  'workspace-file',
  'mention-target',
  'api-error',
  'workspace',
  'membership',
  'channel',
  'member',
  'mentions-response',
  'workspace-overview-response',
  'channel-read-response',
  'send-request',
] as const;

export type SchemaName = (typeof schemaNames)[number];

/** The part of JSON Schema 2020-12 that our schemas keep to; what walks them needs to know no more. */
export interface SchemaNode {
  readonly $id?: string;
  readonly $ref?: string;
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly items?: SchemaNode;
  readonly allOf?: readonly SchemaNode[];
  readonly anyOf?: readonly SchemaNode[];
  readonly if?: SchemaNode;
  readonly then?: SchemaNode;
  readonly not?: SchemaNode;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
}

const loaded = new Map<SchemaName, SchemaNode>();

/** The JSON Schema of a resource or body: the same deeply frozen object at every call. */
export function schemaOf(name: SchemaName): SchemaNode {
  return remembered(loaded, name, () => {
    const text = readFileSync(packageFile(`spec/schemas/${name}.schema.json`), 'utf8');
    return JSON.parse(text, (_key, value: unknown) => Object.freeze(value)) as SchemaNode;
  });
}

/** Every JSON Schema of the contract by its name, read when it is first looked at. */
export const schemas: Readonly<Record<SchemaName, SchemaNode>> = Object.freeze(
  Object.defineProperties(
    {},
    Object.fromEntries(
      schemaNames.map((name) => [name, { enumerable: true, get: () => schemaOf(name) }] as const),
    ),
  ) as Record<SchemaName, SchemaNode>,
);

/** The schema that a `$ref` of ours points to: always a whole file beside the referring one. */
export function schemaNameOfRef(ref: string): SchemaName {
  const name = schemaNames.find((candidate) => ref === `${candidate}.schema.json`);
  if (name === undefined) throw new Error(`"${ref}" refers to no schema of this package`);
  return name;
}

/** Calls `visit` for a schema and every schema inside it, with the pointer of each; does not follow `$ref`. */
export function walkSchema(
  node: SchemaNode,
  pointer: string,
  visit: (node: SchemaNode, pointer: string) => void,
): void {
  visit(node, pointer);
  for (const [key, child] of childSchemas(node)) walkSchema(child, `${pointer}/${key}`, visit);
}

function childSchemas(node: SchemaNode): [string, SchemaNode][] {
  const children: [string, SchemaNode][] = [];
  for (const key of ['items', 'if', 'then', 'not'] as const) {
    const child = node[key];
    if (child !== undefined) children.push([key, child]);
  }
  for (const [key, child] of Object.entries(node.properties ?? {}))
    children.push([`properties/${key}`, child]);
  for (const key of ['allOf', 'anyOf'] as const) {
    for (const [index, child] of (node[key] ?? []).entries()) children.push([`${key}/${index}`, child]);
  }
  return children;
}
