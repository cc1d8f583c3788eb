import { rmSync, writeFileSync } from 'node:fs';
import { Command } from 'commander';
import { usualTargetFile } from '../harness/config/reading/target-source.ts';
import { InvalidTarget } from '../harness/errors.ts';
import { asPath } from '../harness/output/in-shell.ts';
import type { SchemaField, TargetSchema } from '../spec/own-schemas.ts';
import { packageJson } from '../spec/package-file.ts';
import { out } from './shared/output.ts';
import { ownCommand } from './shared/own-command.ts';

const head = (): string => `# The server to test, and what the suite may use there.
#
# You need at least a base URL, one agent token and a channel. Every further line makes more clauses testable.
# Remove the "# " in front of what you have; how many more clauses a line would make testable is said by
#   ${ownCommand()} doctor
# in this folder (with --target <this file>, if it is not called conform.yaml).
# env:NAME and file:PATH keep secrets out of this file.
`;

/** What a newcomer fills in first; the rest is commented out. */
const active = ['base_url', 'channel', 'roles.author'];

/** Values that say more than the examples of the schema, by path. */
const shownValues: Readonly<Record<string, string>> = {
  second_channel: '00f0a3c4-7d52-4b7e-8a68-1f0d3c5b7a99',
  workspace: '9b2e7c14-51c8-4d0e-8f3a-6a7d20c1b4e5',
  'connection.headers': '{ X-Gateway-Key: env:GATEWAY_KEY }',
  'hooks.revoke': '{ url: https://operator.example/hooks, timeout_ms: 10000 }',
  'hooks.expire': '{ command: [./staying_hooks.py], stays: true }',
};

/** A target file with every field that there is, explained by its schema. */
export function targetTemplate(): string {
  const schema = packageJson('harness/config/target.schema.json') as TargetSchema;
  const lines = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
    '',
    ...templateLines(schema, [name], field),
  ]);
  return `${head()}${lines.join('\n')}\n`;
}

function templateLines(schema: TargetSchema, path: readonly string[], field: SchemaField): string[] {
  const indent = '  '.repeat(path.length - 1);
  const name = path.at(-1) ?? '';
  const why = wrapped(field.description ?? '', `${indent}# `);
  if (field.properties !== undefined) {
    const children = Object.entries(field.properties);
    return [
      ...why,
      `${indent}${name}:`,
      ...children.flatMap(([child, inner]) => templateLines(schema, [...path, child], inner)),
    ];
  }
  const mark = active.includes(path.join('.')) ? '' : '# ';
  return [...why, `${indent}${mark}${name}: ${valueOf(schema, path, field)}`];
}

function valueOf(schema: TargetSchema, path: readonly string[], field: SchemaField): string {
  const [section] = path;
  const name = path.at(-1) ?? '';
  const shown = shownValues[path.join('.')];
  if (shown !== undefined) return shown;
  if (section === 'files') return '[c4a1f0de-52b6-4f0f-9d3f-8e3f6f1b2a70]';
  if (section === 'roles') return `env:${name.toUpperCase()}_TOKEN`;
  if (section === 'hooks') return '{ command: [./hooks.py], timeout_ms: 10000 }';
  const referred = schema.$defs[field.$ref?.slice('#/$defs/'.length) ?? ''] ?? {};
  const value = field.default ?? field.examples?.[0] ?? referred.examples?.[0];
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}

const width = 110;

function wrapped(text: string, prefix: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ').filter((each) => each !== '')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`${prefix}${word}`);
  }
  return lines;
}

/** `conform init`: writes a target file to fill in, and never over another one. */
export function initCommand(): Command {
  return new Command('init')
    .description('write a commented target file to fill in')
    .argument('[file]', 'where to; - prints it', usualTargetFile)
    .action((file: string) => {
      if (file === '-') {
        out.say(targetTemplate());
        return;
      }
      writeTemplate(file);
      out.say(
        `wrote ${file}: fill in base_url, channel and roles.author, then try it out:\n` +
          `  ${ownCommand()} doctor${file === usualTargetFile ? '' : ` --target ${asPath(file)}`}\n`,
      );
    });
}

function writeTemplate(file: string): void {
  try {
    writeFileSync(file, targetTemplate(), { flag: 'wx' });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    // Begun and not ended, as on a full disk: the next attempt is not to be told that it exists.
    if (faults[code] === undefined) rmSync(file, { force: true });
    const what = faults[code] ?? `cannot be written (${code})`;
    throw new InvalidTarget(`${file} ${what}; give another name, or - to print the file`);
  }
}

const faults: Readonly<Record<string, string>> = {
  EEXIST: 'already exists and was not changed',
  ENOENT: 'is in a folder that does not exist',
  ENOTDIR: 'is in a folder that does not exist',
  EISDIR: 'is a folder',
  EACCES: 'is not writable by this user',
};
