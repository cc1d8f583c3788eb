import { compile } from 'json-schema-to-typescript';
import { packageJson } from '../package-file.ts';
import { schemaNameOfRef, schemaNames, schemaOf, type SchemaNode } from '../schemas.ts';

/** First lines of a generated file: where it comes from and what makes it again. */
function generatedHeader(source: string): string {
  return `// Generated from ${source} by \`npm run generate\`; do not edit.\n`;
}

/** The text of `spec/generated/types.ts`: one interface for each schema, named by its title. */
export function generateTypes(): Promise<string> {
  const definitions = schemaNames.map((name) => [titleOf(name), forTypes(schemaOf(name))]);
  return compiledTypes(Object.fromEntries(definitions), 'spec/schemas');
}

const eventSchema = 'harness/results/result-event.schema.json';

/** The text of `harness/results/generated/events.ts`: one read-only type for each part of its schema that has a title. */
export async function generateEventTypes(): Promise<string> {
  const schema = packageJson(eventSchema) as EventSchema;
  const text = await compiledTypes(titledIn(schema), eventSchema);
  return text
    .replaceAll(/^( +(?:\[k: string\]|\S+): )(.+\[\];)$/gm, '$1readonly $2')
    .replaceAll(/^( +)(?=[\w[].*: )/gm, '$1readonly ');
}

/** Types of definitions, each under its key; a comment of one sentence takes one line. */
async function compiledTypes(
  definitions: Readonly<Record<string, unknown>>,
  source: string,
): Promise<string> {
  const root = { definitions, additionalProperties: false };
  const text = await compile(root as never, rootName, {
    bannerComment: generatedHeader(source),
    unreachableDefinitions: true,
    ignoreMinAndMaxItems: true,
    style: { singleQuote: true, printWidth: 110 },
  });
  return text
    .replace(rootInterface, '')
    .replace(remarkOnRoot, '')
    .replaceAll(emptyComment, '')
    .replaceAll(shortComment, '/** $1 */\n');
}

// The compiler wants one root type, and remarks on each interface that the root refers to it; neither says anything.
const rootName = 'Root';
const rootInterface = `export interface ${rootName} {}\n`;
const remarkOnRoot = new RegExp(
  String.raw` \*(?: *\n \*)? This interface was referenced by \`${rootName}\`'s JSON-Schema\n \* via the \`definition\` "\w+"\.\n`,
  'g',
);
const emptyComment = '/**\n */\n';
const shortComment = /\/\*\*\n +\* (.*)\n +\*\/\n/g;

function titleOf(name: (typeof schemaNames)[number]): string {
  const { title } = schemaOf(name);
  if (title === undefined) throw new Error(`schema "${name}" has no title to name its type by`);
  return title;
}

/** What a type can express of a schema: conditions and stricter formats are dropped, references stay in one file. */
function forTypes(node: SchemaNode): unknown {
  return JSON.parse(JSON.stringify(node), (key, value: unknown) => {
    if (['$id', '$schema', 'allOf', 'title'].includes(key)) return undefined;
    if (key === '$ref') return `#/definitions/${titleOf(schemaNameOfRef(String(value)))}`;
    return value;
  });
}

const notInTypes: ReadonlySet<string> = new Set(['$id', '$schema', 'minItems']);

/** A part of a schema, as far as types are made of it. */
interface SchemaPart {
  readonly $ref?: string;
  readonly title?: string;
  readonly description?: string;
}

interface EventSchema extends SchemaPart {
  readonly $defs: Readonly<Record<string, SchemaPart>>;
}

/** The parts that have a title, by it; each names the others, and holds what has none. */
function titledIn({ $defs, ...whole }: EventSchema): Readonly<Record<string, unknown>> {
  const titled: Record<string, unknown> = {};
  const within = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(within);
    if (typeof node !== 'object' || node === null) return node;
    const { $ref, ...rest }: SchemaPart = node;
    if ($ref !== undefined) return { ...(within($defs[$ref.slice('#/$defs/'.length)]) as object), ...rest };
    // A field may be called so too.
    const title = typeof rest.title === 'string' ? rest.title : undefined;
    const parts = Object.entries(rest).filter(([key, value]) => !notInTypes.has(key) && value !== title);
    const type = Object.fromEntries(parts.map(([key, value]) => [key, within(value)]));
    if (title === undefined) return type;
    titled[title] = type;
    return { tsType: title };
  };
  within(whole);
  return titled;
}
