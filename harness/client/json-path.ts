import { isRecord, type JsonRecord } from '../../spec/calls/index.ts';
import { cut } from '../output/printable.ts';

/** Keys and indices from the top of a JSON value; empty for the top itself. */
export type JsonPath = readonly string[];

/** Longest key that a path in words shows, in UTF-16 units. */
const longestKey = 60;

/** A path in words, as a programmer writes it: `messages[3].author.source_session`. */
export function textOfPath(value: unknown, path: JsonPath): string {
  let here = value;
  let text = '';
  for (const key of path) {
    const isPlain = /^[\w-]+$/.test(key) && key.length <= longestKey;
    if (Array.isArray(here)) text += `[${key}]`;
    else if (isPlain) text += text === '' ? key : `.${key}`;
    else text += `[${JSON.stringify(cut(key, longestKey))}]`;
    here = stepInto(here, key);
  }
  return text;
}

/** The objects along a path, the outermost first, each with its own path. */
export function recordsAlong(
  value: unknown,
  path: JsonPath,
): readonly { readonly path: JsonPath; readonly record: JsonRecord }[] {
  const values = path.reduce<unknown[]>((met, key) => [...met, stepInto(met.at(-1), key)], [value]);
  return values.flatMap((record, depth) =>
    isRecord(record) ? [{ path: path.slice(0, depth), record }] : [],
  );
}

/** Where each object within a value stands. */
export function pathsOfRecords(value: unknown): ReadonlyMap<object, JsonPath> {
  const paths = new Map<object, JsonPath>();
  const left: { value: unknown; path: JsonPath }[] = [{ value, path: [] }];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { value: here, path } = next;
    if (isRecord(here)) paths.set(here, path);
    if (!isRecord(here) && !Array.isArray(here)) continue;
    for (const [key, inner] of Object.entries(here))
      if (typeof inner === 'object' && inner !== null) left.push({ value: inner, path: [...path, key] });
  }
  return paths;
}

function stepInto(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return value[Number(key)];
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Whether two parsed values are the same, but for the order of keys. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) || Array.isArray(other)) return isSameArray(one, other);
  let keys = 0;
  for (const key in one) {
    keys += 1;
    if (!isSameJson((one as JsonRecord)[key], (other as JsonRecord)[key])) return false;
  }
  for (const _ in other) keys -= 1;
  return keys === 0;
}

function isSameArray(one: unknown, other: unknown): boolean {
  if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
  return one.every((each, index) => isSameJson(each, other[index]));
}
