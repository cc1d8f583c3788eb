import type { JsonRecord } from './json-record.ts';

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
