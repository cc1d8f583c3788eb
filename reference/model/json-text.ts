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
