import { isRecord } from '../../spec/calls/index.ts';
import { differenceOf } from '../../spec/oracles/messages/content.ts';
import type { Problem } from '../../spec/oracles/values/judgement.ts';

/** A string that is longer is shown around where it differs alone, in UTF-16 units. */
const longestString = 120;
/** Of a value that stands where nothing comparable does. */
const longestValue = 160;

/**
 * Where two values part first, and what stands there in each, as JSON: `what[3].id "a"` and `"b"`. `undefined` where they are the
 * same, but perhaps for the order of their keys.
 */
export function jsonDifference(what: string, expected: unknown, actual: unknown): Problem | undefined {
  if (Array.isArray(expected) && Array.isArray(actual)) return listDifference(what, expected, actual);
  if (isRecord(expected) && isRecord(actual)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
      const found = jsonDifference(`${what}.${key}`, ownField(expected, key), ownField(actual, key));
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (jsonTextOf(expected) === jsonTextOf(actual)) return undefined;
  if (typeof expected === 'string' && typeof actual === 'string') {
    const isLong = Math.max(expected.length, actual.length) > longestString;
    const text = isLong || looksLike(expected, actual) ? differenceOf(expected, actual) : undefined;
    if (text !== undefined) return { ...text, expected: `${what}: ${text.expected}` };
  }
  return { expected: `${what} ${shownValue(expected)}`, actual: shownValue(actual) };
}

/** True of texts that a reader cannot tell apart, as é of one character and é of two. */
export function looksLike(one: string, other: string): boolean {
  return one.normalize('NFKC') === other.normalize('NFKC');
}

/** A value as JSON with exact integers. */
export function jsonTextOf(value: unknown): string {
  const text = JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'bigint' ? `${inner}n` : inner,
  );
  return text ?? 'undefined';
}

function listDifference(
  what: string,
  expected: readonly unknown[],
  actual: readonly unknown[],
): Problem | undefined {
  if (areNames(expected) && areNames(actual)) {
    const found = namesDifference(what, expected, actual);
    if (found !== undefined) return found;
  }
  for (let index = 0; index < Math.max(expected.length, actual.length); index += 1) {
    const place = `${what}[${index}]`;
    if (index >= actual.length)
      return {
        expected: `${place} ${shownValue(expected[index])}, one of ${expected.length}`,
        actual: `nothing there: ${actual.length} in all`,
      };
    if (index >= expected.length)
      return {
        expected: `${what} with ${expected.length} in all`,
        actual: `${actual.length}, with ${shownValue(actual[index])} at [${index}]`,
      };
    const found = jsonDifference(place, expected[index], actual[index]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What one list of names has and the other has not, wherever it stands. */
function namesDifference(
  what: string,
  expected: readonly string[],
  actual: readonly string[],
): Problem | undefined {
  const missing = expected.filter((name) => !actual.includes(name));
  const extra = actual.filter((name) => !expected.includes(name));
  if (missing.length + extra.length === 0) return undefined;
  const parts = [
    ...(missing.length > 0 ? [`without ${someOf(missing)}`] : []),
    ...(extra.length > 0 ? [`with ${someOf(extra)} beside`] : []),
  ];
  const wanted = missing.length > 0 ? ` with ${someOf(missing)}` : '';
  return {
    expected: `${what}${wanted}, ${expected.length} in all`,
    actual: `${actual.length} in all, ${parts.join(', ')}`,
  };
}

function someOf(names: readonly string[]): string {
  const [first, ...others] = names;
  return others.length === 0 ? shownValue(first) : `${shownValue(first)} and ${others.length} more`;
}

function areNames(list: readonly unknown[]): list is readonly string[] {
  return list.every((each) => typeof each === 'string');
}

function ownField(fields: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(fields, key) ? fields[key] : undefined;
}

function shownValue(value: unknown): string {
  const text = jsonTextOf(value);
  return text.length > longestValue ? `${text.slice(0, longestValue)}… (${text.length} characters)` : text;
}
