import { pick, printPath, type FieldPath, type Given, type Layer } from './layer.ts';
import type { Problems } from './problems.ts';

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
