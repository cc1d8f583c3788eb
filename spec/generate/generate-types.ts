import { compile } from 'json-schema-to-typescript';
import { schemaNameOfRef, schemaNames, schemaOf, type SchemaNode } from '../schemas.ts';

/** First lines of a generated file: where it comes from and what makes it again. */
function generatedHeader(source: string): string {
  return `// Generated from ${source} by \`npm run generate\`; do not edit.\n`;
}

/** The text of `spec/generated/types.ts`: one interface for each schema, named by its title. */
export async function generateTypes(): Promise<string> {
  const definitions = Object.fromEntries(
    schemaNames.map((name) => [titleOf(name), forTypes(schemaOf(name))]),
  );
  const root = { definitions, additionalProperties: false };
  const text = await compile(root as never, rootName, {
    bannerComment: generatedHeader('spec/schemas'),
    unreachableDefinitions: true,
    ignoreMinAndMaxItems: true,
    style: { singleQuote: true, printWidth: 110 },
  });
  return text.replace(rootInterface, '').replace(remarkOnRoot, '').replaceAll(emptyComment, '');
}

// The compiler wants one root type, and remarks on each interface that the root refers to it; neither says anything.
const rootName = 'Root';
const rootInterface = `export interface ${rootName} {}\n`;
const remarkOnRoot = new RegExp(
  String.raw` \*(?: *\n \* )?This interface was referenced by \`${rootName}\`'s JSON-Schema\n \* via the \`definition\` "\w+"\.\n`,
  'g',
);
const emptyComment = '/**\n */\n';

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
