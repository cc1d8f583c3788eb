import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import type { Clause } from '../clauses.ts';
import { packageFile, packageJson } from '../package-file.ts';

type WrittenClause = Omit<Clause, 'level' | 'needs' | 'schema'> &
  Partial<Pick<Clause, 'level' | 'needs' | 'schema'>>;
type Entry = WrittenClause & Pick<Clause, 'level'>;

/** A register: of what servers keep, or clients. */
type RegisterName = 'clauses' | 'client-clauses';

/**
 * The entries of `spec/clauses.yaml`, or of that of clients, as written, each with its level; other absent fields are absent.
 * @throws Error when they break `spec/clauses.schema.json`
 */
export function readRegister(name: RegisterName = 'clauses'): readonly Entry[] {
  const register: unknown = parse(readFileSync(packageFile(`spec/${name}.yaml`), 'utf8'));
  const schema = packageJson('spec/clauses.schema.json') as object;
  const ajv = new Ajv2020({ strictTypes: false });
  if (!ajv.validate(schema, register)) throw new Error(ajv.errorsText(ajv.errors, { dataVar: 'clauses' }));
  return (register as readonly WrittenClause[]).map((entry) => ({ level: 'must', ...entry }));
}

/**
 * The text of `spec/generated/clauses.json`, or of that of clients, one clause a line under its id, which makes the ids known to the
 * compiler. Parsing the YAML takes 300 ms, more than the rest of a start together; this takes 5.
 */
export function generateClauseData(name: RegisterName): string {
  const origin = `Generated from spec/${name}.yaml by \`npm run generate\`; do not edit.`;
  const lines = readRegister(name).map((entry) => `  "${entry.id}": ${JSON.stringify(dataOf(entry))}`);
  return `{ "$comment": ${JSON.stringify(origin)}, "clauses": {\n${lines.join(',\n')}\n} }\n`;
}

function dataOf({
  id: _id,
  level,
  text,
  source,
  needs = [],
  schema = [],
  ...rest
}: Entry): Omit<Clause, 'id'> {
  return { level, text, source, needs, schema, ...rest };
}
