import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { quickToMake } from '../../spec/own-schemas.ts';
import { InvalidTarget } from '../errors.ts';
import { readTextFile } from './bounded-file.ts';
import { jsonIn } from '../../spec/calls/index.ts';

/** A kind of file that somebody else may have written. */
interface FileKind {
  /** As a sentence about a file ends: `is not a failure file`. */
  readonly isNot: string;
  readonly mostBytes: number;
  readonly schema: object;
}

/** The schema of an object with these members, which may have others. */
export function objectSchema(
  required: Readonly<Record<string, unknown>>,
  more: Readonly<Record<string, unknown>> = {},
): object {
  return { type: 'object', required: Object.keys(required), properties: { ...required, ...more } };
}

/** The schema of a list of these. */
export function listSchema(items: unknown, maxItems = Number.MAX_SAFE_INTEGER): object {
  return { type: 'array', maxItems, items };
}

/** Reads files of one kind: JSON, by its schema and bounds. */
export class JsonFiles<T> {
  readonly #kind: FileKind;
  #validate: ValidateFunction<T> | undefined;

  constructor(kind: FileKind) {
    this.#kind = kind;
  }

  /** @throws InvalidTarget in one line: the file, the place in it, and what is wrong there */
  read(path: string): T {
    const { isNot, mostBytes, schema } = this.#kind;
    const read = readTextFile(path, mostBytes);
    if ('fault' in read) throw new InvalidTarget(`${path} ${read.fault}`);
    const value = jsonIn(read.text);
    if (value === undefined) throw new InvalidTarget(`${path} ${isNot}: it is not JSON`);
    this.#validate ??= new Ajv2020({ allowUnionTypes: true, ...quickToMake }).compile<T>(schema);
    if (this.#validate(value)) return value;
    throw new InvalidTarget(`${path} ${isNot}: ${wordsOf(this.#validate.errors?.[0])}`);
  }
}

/** The place in dots, and the rule that does not hold there. */
function wordsOf(error: ErrorObject | undefined): string {
  const place = error?.instancePath.slice(1).replaceAll('/', '.') ?? '';
  return `${place === '' ? 'it' : `\`${place}\``} ${error?.message ?? 'is wrong'}`;
}
