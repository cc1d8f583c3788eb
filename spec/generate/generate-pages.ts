import type { Clause } from '../clauses.ts';
import type { SchemaField, TargetSchema } from '../own-schemas.ts';
import { packageJson } from '../package-file.ts';
import { readRegister } from './generate-clauses.ts';

/** The text of `docs/target-file.md`: every field of a target file, from its schema. */
export function generateTargetPage(): string {
  const schema = packageJson('harness/config/target.schema.json') as TargetSchema;
  const fields = Object.entries(schema.properties ?? {});
  const plain = fields.filter(([, { properties }]) => properties === undefined);
  const sections = fields.filter(([, { properties }]) => properties !== undefined);
  return [
    madeFrom('harness/config/target.schema.json'),
    '',
    '# The target file',
    '',
    'A target file says which server to test, and what the suite may use there. `npx conform init` writes one with',
    'every field and a comment to `conform.yaml`, `npx conform doctor` tries it and says which lines would make more',
    'clauses testable. What is wrong with a file is said with its line. It is YAML; only `base_url` is needed.',
    'Every command [finds it](#which-file-is-read) in the folder where it is started.',
    '',
    'Tokens and headers take `env:NAME` for a variable of the environment and `file:PATH` for the text of a file, so that no secret',
    'stands in the file itself. Each field that has a flag or a variable is named by `npx conform --help`; flags come before',
    'variables, and variables before the file.',
    '',
    ...fieldTable(schema, plain),
    ...sections.flatMap(([name, field]) => schemaSection(schema, name, field)),
    '## A hook',
    '',
    '[Hooks](hooks.md) says what each is asked for and has to answer.',
    '',
    ...fieldTable(schema, Object.entries(schema.$defs['hook']?.properties ?? {})),
    '## Which file is read',
    '',
    'Every command that is for a server finds `conform.yaml` in the folder where it is started, and says so in a line. The first of these',
    'that is there decides which server it is:',
    '',
    '1. `--reference`: the embedded reference, and no file.',
    '2. `--target FILE`, or else `CONFORM_TARGET=FILE`: that file. With `--base-url` or `CONFORM_BASE_URL` beside it, all else of the file',
    '   counts for that address.',
    '3. `--base-url URL`, or else `CONFORM_BASE_URL=URL`: that address. A `conform.yaml` that is only found is not read then, and a line says',
    '   so: its tokens and hooks are of another server, and go to no address that it does not name.',
    '4. `conform.yaml` of the folder.',
    '5. Nothing: `run`, `fuzz`, `stress` and `doctor` take the embedded reference and say so; `run --watch` and `chaos` end with exit code 2.',
    '',
    'What a command prints to be run again names a file that was found.',
    '',
  ].join('\n');
}

function schemaSection(schema: TargetSchema, path: string, field: SchemaField): string[] {
  const inner = Object.entries(field.properties ?? {});
  const plain = inner.filter(([, { properties }]) => properties === undefined);
  const deeper = inner.filter(([, { properties }]) => properties !== undefined);
  return [
    `## \`${path}\``,
    '',
    field.description ?? '',
    '',
    ...(plain.length > 0 ? fieldTable(schema, plain) : []),
    ...deeper.flatMap(([name, each]) => schemaSection(schema, `${path}.${name}`, each)),
  ];
}

function fieldTable(schema: TargetSchema, fields: readonly (readonly [string, SchemaField])[]): string[] {
  const rows = fields.map(([name, field]) => {
    const referred = schema.$defs[field.$ref?.slice('#/$defs/'.length) ?? ''] ?? {};
    const value = field.default ?? field.examples?.[0];
    const shown =
      value === undefined ? '' : `${field.default === undefined ? 'as ' : ''}\`${textOf(value)}\``;
    return `| \`${name}\` | ${field.title ?? referred.title ?? ''} | ${shown} | ${field.description ?? ''} |`;
  });
  return ['| field | takes | default, or as | what it is |', '| --- | --- | --- | --- |', ...rows, ''];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The text of `docs/left-open.md`: what the contract implies, leaves open, or keeps from a client. */
export function generateOpenPage(): string {
  const clauses = readRegister();
  const of = (level: Clause['level']): typeof clauses => clauses.filter((each) => each.level === level);
  const untestable = clauses.filter(({ level, untestable: why }) => level === 'must' && why !== undefined);
  return [
    madeFrom('spec/clauses.yaml'),
    '',
    '# What the contract leaves open',
    '',
    'A server fails only by what the contract states. This page lists the rest: what is implied, and only warned of; what is left',
    'open, and only observed (`--snapshot FILE` keeps what was observed and shows changes); and what no client can test.',
    '`npx conform show message.sequence.gaps` says more of one.',
    '',
    `## Left open: ${of('silent').length} clauses, observed and never judged`,
    '',
    ...listOfClauses(of('silent')),
    `## Implied: ${of('inferred').length} clauses, warned of; failed with \`--strict\``,
    '',
    ...listOfClauses(of('inferred')),
    `## Stated, and not testable by a client: ${untestable.length} clauses`,
    '',
    ...untestable.flatMap(({ id, text, untestable: why = '' }) => [
      `- \`${id}\`: ${onOneLine(text)} _${onOneLine(why)}_`,
    ]),
    '',
  ].join('\n');
}

function listOfClauses(some: readonly Pick<Clause, 'id' | 'text'>[]): string[] {
  return [...some.map(({ id, text }) => `- \`${id}\`: ${onOneLine(text)}`), ''];
}

function onOneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ');
}

function madeFrom(source: string): string {
  return `<!-- Made by \`npm run generate\` from ${source}; do not edit. -->`;
}
