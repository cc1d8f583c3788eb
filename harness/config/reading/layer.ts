import type { Place, Problems } from './problems.ts';

/** Names of nested fields as the target file spells them; list positions as decimal numbers. */
export type FieldPath = readonly string[];

/**
 * One source of target fields. Flags and environment variables take the shape of the file too, so that one schema
 * and one reading serve all three.
 */
export interface Layer {
  /** In the shape of the target file; not yet known to be valid. */
  readonly fields: unknown;
  /** Folder that relative paths of this source start from. */
  readonly folder: string;
  /** Whether `env:NAME` and `file:PATH` are references here, or just text. */
  readonly hasReferences: boolean;
  /** What the source of a literal secret at `path` is called. */
  sourceOf(path: FieldPath): string;
  /** Where the value at `path`, or the name of that field, stands; the nearest thing around it when it is absent. */
  placeOf(path: FieldPath, part: 'name' | 'value'): Place;
}

/** A value and the layer that won. */
export interface Given {
  readonly value: unknown;
  readonly path: FieldPath;
  readonly layer: Layer;
}

/** The value of the first layer that has one at `path`. */
export function pick(layers: readonly Layer[], path: FieldPath): Given | undefined {
  for (const layer of layers) {
    const value = valueAt(layer.fields, path);
    if (value !== undefined && value !== null) return { value, path, layer };
  }
  return undefined;
}

export function valueAt(fields: unknown, path: FieldPath): unknown {
  let value = fields;
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}

/** `hooks.revoke.command[0]`, in backticks. A name that could be a misplaced secret appears as `…`. */
export function printPath(path: FieldPath): string {
  let text = '';
  for (const name of path) {
    if (/^\d+$/.test(name)) text += `[${name}]`;
    else text += `${text === '' ? '' : '.'}${isPlainName(name) ? name : '…'}`;
  }
  return `\`${text}\``;
}

/** Whether a name can be shown: a short word, as fields and headers have. */
export function isPlainName(name: string): boolean {
  return /^[A-Za-z][A-Za-z0-9_-]{0,39}$/.test(name);
}

/** What reading a target works on: the layers, the strongest first, and where it writes what it finds wrong. */
export interface Reading {
  readonly layers: readonly Layer[];
  readonly env: NodeJS.ProcessEnv;
  readonly problems: Problems;
  readonly warnings: string[];
}

/** `undefined` when absent, and when it is no text: the shape check has said so. */
export function textAt(reading: Reading, ...path: FieldPath): string | undefined {
  const value = pick(reading.layers, path)?.value;
  return typeof value === 'string' ? value : undefined;
}

/** `undefined` when absent, and when it is no number: the shape check has said so. */
export function numberAt(reading: Reading, ...path: FieldPath): number | undefined {
  const value = pick(reading.layers, path)?.value;
  return typeof value === 'number' ? value : undefined;
}

/** Adds a problem with a given value; `what` is a clause whose subject is the field. */
export function fault(reading: Reading, { layer, path }: Given, what: string): void {
  reading.problems.add(layer.placeOf(path, 'value'), `${printPath(path)} ${what}`);
}

/** Adds a warning about a secret given as it is by a flag; `instead` says what to give. */
export function warnOfLiteral(reading: Reading, { layer, path }: Given, instead: string): void {
  const { name } = layer.placeOf(path, 'value');
  reading.warnings.push(
    `${name}: ${printPath(path)} is a secret that shows in process lists – give ${instead}`,
  );
}
