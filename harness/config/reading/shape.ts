import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { pathOfPointer } from '../../../spec/calls/index.ts';
import { quickToMake } from '../../../spec/own-schemas.ts';
import { packageJson } from '../../../spec/package-file.ts';
import { closestWord } from './closest-word.ts';
import { isPlainName, printPath, valueAt, type FieldPath, type Layer } from './layer.ts';
import type { Problems } from './problems.ts';

/** More are not looked at: a file of thousands of wrong fields is no target, and each costs a search. */
const maxErrors = 100;

/** Holds a layer against the schema of the target file; says what a field must be in the words of its `title`. */
export function checkShape(layer: Layer, problems: Problems): void {
  const validate = validator();
  if (validate(layer.fields)) return;
  // What one of several forms lacks is said by the error about the forms.
  const errors = (validate.errors ?? []).filter(({ schemaPath }) => !/\/anyOf\/\d+\//.test(schemaPath));
  for (const error of errors.slice(0, maxErrors)) {
    const path = pathOfPointer(error.instancePath);
    if (error.keyword === 'additionalProperties') {
      const extra: FieldPath = [...path, String(error.params['additionalProperty'])];
      problems.add(layer.placeOf(extra, 'name'), describeUnknown(error, path, extra, layer));
    } else if (error.keyword === 'required') {
      const missing = String(error.params['missingProperty']);
      problems.add(layer.placeOf(path, 'value'), `${printPath(path)} lacks \`${missing}\``);
    } else {
      problems.add(layer.placeOf(path, 'value'), describeWrong(error, path));
    }
  }
}

let compiled: ValidateFunction | undefined;

function validator(): ValidateFunction {
  // A definition that many fields refer to is made once: that takes a quarter off the time.
  const options = {
    allErrors: true,
    verbose: true,
    allowUnionTypes: true,
    inlineRefs: false,
    ...quickToMake,
  };
  return (compiled ??= new Ajv2020(options).compile(targetSchema()));
}

/** The parts of the schema that messages are made of. */
interface FieldSchema {
  readonly title?: string;
  readonly type?: string | readonly string[];
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly patternProperties?: Readonly<Record<string, FieldSchema>>;
}

let schema: FieldSchema | undefined;

function targetSchema(): FieldSchema {
  return (schema ??= packageJson('harness/config/target.schema.json') as FieldSchema);
}

function describeWrong(error: ErrorObject, path: FieldPath): string {
  const { title = 'something else', examples = [] } = error.parentSchema as FieldSchema;
  const subject = path.length === 0 ? 'the target file' : printPath(shownPath(path, error.data));
  const example = examples.length === 0 ? '' : `, for example \`${printExample(examples[0])}\``;
  return `${subject} must be ${title}${example}${quotingHint(error)}`;
}

/** Without the name of a header that has no value: `{x-key:s3cret}` reads as such a header. */
function shownPath(path: FieldPath, value: unknown): FieldPath {
  const isHeader = path.at(-2) === 'headers';
  return isHeader && value === null ? [...path.slice(0, -1), '…'] : path;
}

function printExample(example: unknown): string {
  return typeof example === 'string' ? example : JSON.stringify(example);
}

/** YAML reads a token of digits as a number. */
function quotingHint({ parentSchema, data }: ErrorObject): string {
  const wantsText = (parentSchema as FieldSchema).type === 'string';
  if (!wantsText || (typeof data !== 'number' && typeof data !== 'boolean')) return '';
  return ` – in quotes: without them it is read as a ${typeof data}`;
}

function describeUnknown(error: ErrorObject, path: FieldPath, extra: FieldPath, layer: Layer): string {
  const { properties = {}, patternProperties } = error.parentSchema as FieldSchema;
  const name = extra.at(-1) ?? '';
  if (patternProperties !== undefined) {
    return `a name under ${printPath(path)} cannot be that of a header`;
  }
  const known = Object.keys(properties);
  const closest = closestWord(name, known);
  const meant = closest === undefined ? elsewhereInSchema(name) : [...path, closest];
  // A secret can end up as a name: `{author:s3cret}` is a field without a value.
  const isShown = isPlainName(name) && (meant !== undefined || valueAt(layer.fields, extra) !== null);
  const subject = isShown ? `unknown field ${printPath(extra)}` : `unknown field in ${placeInWords(path)}`;
  if (meant !== undefined) return `${subject} – did you mean ${printPath(meant)}?`;
  return `${subject} – known here: ${known.map((field) => `\`${field}\``).join(', ')}`;
}

function placeInWords(path: FieldPath): string {
  return path.length === 0 ? 'the target' : printPath(path);
}

/** The path of a field of exactly this name that belongs in another place: `author` → `roles.author`. */
function elsewhereInSchema(
  name: string,
  within = targetSchema(),
  path: FieldPath = [],
): FieldPath | undefined {
  for (const [field, inner] of Object.entries(within.properties ?? {})) {
    const found = field === name ? [...path, field] : elsewhereInSchema(name, inner, [...path, field]);
    if (found !== undefined) return found;
  }
  return undefined;
}
