import { isRecord } from '../../calls/index.ts';

/** Every string in a JSON value, at whatever depth; keys are left out. */
export function textsIn(value: unknown): readonly string[] {
  return [...nodesOf(value)].filter((node) => typeof node === 'string');
}

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** Every UUID in a JSON value: a string of its own, a part of one as in a link, or a key. */
export function idsIn(value: unknown): readonly string[] {
  // Lists and texts have keys too, of numbers: ten million of them for a text of ten megabytes.
  const keys = [...nodesOf(value)].flatMap((node) => (isRecord(node) ? Object.keys(node) : []));
  return [...textsIn(value), ...keys].flatMap((text) => text.match(uuid) ?? []);
}

/** The values of one key, wherever in a JSON value an object has it. */
export function valuesOf(value: unknown, key: string): readonly unknown[] {
  return [...nodesOf(value)].flatMap((node) =>
    isRecord(node) && Object.hasOwn(node, key) ? [node[key]] : [],
  );
}

/** A value and everything inside it. A list of its own, since answers may be nested deeper than the stack. */
export function* nodesOf(value: unknown): Generator<unknown> {
  const pending = [value];
  while (pending.length > 0) {
    const node = pending.pop();
    yield node;
    if (typeof node !== 'object' || node === null) continue;
    for (const inner of Object.values(node)) pending.push(inner);
  }
}

/** A value as text: an object as JSON, anything else as `String` has it, which some objects make throw. */
export function asText(value: unknown): string {
  // What a parser of JSON gives: no symbol and no function.
  if (typeof value !== 'object') return String(value as string | number | bigint | boolean | undefined);
  return JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner));
}
