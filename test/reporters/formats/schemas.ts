import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv, type ValidateFunction } from 'ajv';
import Draft04 from 'ajv-draft-04';

/** Schemas as their publishers ship them, from the packages that do. */
const require = createRequire(import.meta.url);

function jsonOf(file: string): object {
  return JSON.parse(readFileSync(require.resolve(file), 'utf8')) as object;
}

const lenient = { strict: false, validateFormats: false, unicodeRegExp: false } as const;

function ctrf(): ValidateFunction {
  return new Ajv(lenient).compile(jsonOf('../../../node_modules/ctrf/dist/ctrf-schema-0.0.json'));
}

function sarif(): ValidateFunction {
  const draft04 = new Draft04.default(lenient);
  return draft04.compile(jsonOf('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json'));
}

function har(): ValidateFunction {
  const all = require('har-schema') as Readonly<Record<string, object>>;
  const ajv = new Ajv(lenient);
  ajv.addMetaSchema(jsonOf('ajv/lib/refs/json-schema-draft-06.json'));
  for (const schema of Object.values(all)) ajv.addSchema(schema);
  const validate = ajv.getSchema('har.json#') ?? ajv.getSchema('har.json');
  if (validate === undefined) throw new Error('har-schema has no har.json');
  return validate;
}

/** What GitLab reads of an issue, and does not do without, as its manual has it. */
function codequality(): ValidateFunction {
  const text = { type: 'string', minLength: 1 } as const;
  const lines = {
    type: 'object',
    required: ['begin'],
    properties: { begin: { type: 'integer', minimum: 1 } },
  };
  return new Ajv(lenient).compile({
    type: 'array',
    items: {
      type: 'object',
      required: ['description', 'check_name', 'fingerprint', 'severity', 'location'],
      properties: {
        description: text,
        check_name: text,
        fingerprint: text,
        severity: { enum: ['info', 'minor', 'major', 'critical', 'blocker'] },
        location: { type: 'object', required: ['path', 'lines'], properties: { path: text, lines } },
      },
    },
  });
}

/** What is wrong with the text of a report, by the schema of its format; empty when nothing is. */
export const problemsOf = {
  ctrf: problemsBy(ctrf()),
  sarif: problemsBy(sarif()),
  har: problemsBy(har()),
  codequality: problemsBy(codequality()),
} as const;

function problemsBy(validate: ValidateFunction) {
  return (text: string): readonly string[] =>
    validate(JSON.parse(text))
      ? []
      : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`);
}
