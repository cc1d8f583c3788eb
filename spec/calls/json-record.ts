/** An object of an answer whose shape nobody has vouched for yet. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** An object that is not an array or null. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What a text says as JSON; `undefined` where it is no JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The keys and indices that a JSON Pointer leads along. */
export function pathOfPointer(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}
