import { stringify } from 'lossless-json';

/** JSON text of a value, every bigint in it an exact integer. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // The quick way knows no bigints; they occur only beyond 2^53.
    if (!(error instanceof TypeError)) throw error;
    return stringify(value) ?? 'null';
  }
}

/** JSON text of `value` with the keys of every object sorted, so that equal values have equal texts. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    isPlainObject(member)
      ? Object.fromEntries(
          Object.keys(member)
            .toSorted()
            .map((key) => [key, member[key]]),
        )
      : member,
  );
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
