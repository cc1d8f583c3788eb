import { packageJson } from './package-file.ts';
import type { SchemaName } from './schemas.ts';

/** An instance that its schema accepts. */
export interface ValidExample {
  readonly name: string;
  readonly instance: unknown;
}

/** An instance that breaks exactly one rule of its schema, or of one that it refers to. */
export interface InvalidExample extends ValidExample {
  /** The broken rule, as `validate` reports it. */
  readonly breaks: string;
}

export interface SchemaExamples {
  readonly valid: readonly ValidExample[];
  readonly invalid: readonly InvalidExample[];
}

/**
 * An example as `spec/examples/<schema>.json` writes it: a whole instance, or the changes that make it of an earlier
 * valid one. The keys of the changes are JSON Pointers (without escapes; our field names need none).
 */
interface WrittenExample {
  readonly name: string;
  readonly breaks?: string;
  readonly instance?: unknown;
  readonly from?: string;
  readonly set?: Readonly<Record<string, unknown>>;
  readonly unset?: readonly string[];
  /** Makes a text or an array that many times its first character or item. */
  readonly repeat?: Readonly<Record<string, number>>;
}

type Container = Record<string, unknown>;

/** The hand-written examples of a schema, each instance fresh and free to change. */
export function examplesOf(schema: SchemaName): SchemaExamples {
  const read = packageJson(`spec/examples/${schema}.json`);
  const written = read as Record<'valid' | 'invalid', WrittenExample[]>;
  const instances = new Map<string, unknown>();
  const valid = written.valid.map((example) => {
    const instance = instanceOf(example, instances);
    instances.set(example.name, instance);
    return { name: example.name, instance };
  });
  const invalid = written.invalid.map((example) => {
    if (example.breaks === undefined)
      throw new Error(`example "${example.name}" does not say what it breaks`);
    return { name: example.name, breaks: example.breaks, instance: instanceOf(example, instances) };
  });
  return { valid, invalid };
}

function instanceOf(example: WrittenExample, earlier: ReadonlyMap<string, unknown>): unknown {
  if (example.from === undefined) return example.instance;
  if (!earlier.has(example.from)) throw new Error(`example "${example.name}" is made from an unknown one`);
  const instance = structuredClone(earlier.get(example.from));
  for (const pointer of example.unset ?? []) delete parentOf(instance, pointer)[lastKey(pointer)];
  for (const [pointer, value] of Object.entries(example.set ?? {})) {
    parentOf(instance, pointer)[lastKey(pointer)] = value;
  }
  for (const [pointer, times] of Object.entries(example.repeat ?? {})) {
    const parent = parentOf(instance, pointer);
    parent[lastKey(pointer)] = repeatedTimes(parent[lastKey(pointer)], times);
  }
  return instance;
}

function parentOf(instance: unknown, pointer: string): Container {
  const keys = pointer.split('/').slice(1, -1);
  return keys.reduce((container, key) => container[key] as Container, instance as Container);
}

function lastKey(pointer: string): string {
  return pointer.slice(pointer.lastIndexOf('/') + 1);
}

function repeatedTimes(value: unknown, times: number): unknown {
  return Array.isArray(value) ? Array<unknown>(times).fill(value[0]) : String(value).charAt(0).repeat(times);
}
