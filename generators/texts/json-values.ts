/** Anything that `JSON.stringify` writes. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

export type JsonObject = Readonly<Record<string, JsonValue>>;

export function isJsonObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Simpler JSON values, boldest first: members left out, strings shortened and made plainer, numbers nearer to 0. */
export function* simplerJson(value: JsonValue): Generator<JsonValue> {
  if (typeof value === 'string') yield* simplerStrings(value);
  else if (typeof value === 'number') yield* [0, 1, Math.trunc(value / 2)];
  else if (Array.isArray(value)) yield* simplerLists<JsonValue>(value, simplerJson);
  else if (isJsonObject(value)) yield* simplerObjects(value);
}

/** Simpler lists: without one of two halves, four quarters and so on; where they are short, with one element simpler. */
export function* simplerLists<Item>(
  list: readonly Item[],
  simplerItem: (item: Item) => Iterable<Item>,
): Generator<readonly Item[]> {
  if (list.length > 0) yield [];
  for (const [start, end] of cutsOf(list.length)) yield list.toSpliced(start, end - start);
  if (list.length > mostOneByOne) return;
  for (const [index, item] of list.entries())
    for (const simpler of simplerItem(item)) yield list.with(index, simpler);
}

/** Longer strings and lists are only cut: one by one it would take the square of their length. */
const mostOneByOne = 200;

/** Simpler strings: cut as lists are; where they are short, with one unit plainer. */
export function* simplerStrings(text: string): Generator<string> {
  if (text.length > 0) yield '';
  for (const [start, end] of cutsOf(text.length)) yield text.slice(0, start) + text.slice(end);
  if (text.length > mostOneByOne) return;
  for (let index = 0; index < text.length; index += 1) {
    for (const plain of ['0', 'a'])
      if (text[index] !== plain) yield text.slice(0, index) + plain + text.slice(index + 1);
  }
}

/** What can be cut out of so many units: each of two halves, four quarters and so on, and if they are few each one. */
function* cutsOf(length: number): Generator<readonly [number, number]> {
  for (let parts = 2; parts < length && parts <= 64; parts *= 2) {
    const size = Math.ceil(length / parts);
    for (let start = 0; start < length; start += size) yield [start, Math.min(start + size, length)];
  }
  if (length <= mostOneByOne) for (let index = 0; index < length; index += 1) yield [index, index + 1];
}

/** Length as JSON, then how far the characters are from plain ones. */
export function rankOfJson(value: JsonValue | undefined): readonly number[] {
  const text = JSON.stringify(value) ?? '';
  let units = 0;
  for (let index = 0; index < text.length; index += 1) units += text.charCodeAt(index);
  return [text.length, units];
}

function* simplerObjects(object: JsonObject): Generator<JsonObject> {
  for (const key of Object.keys(object))
    yield Object.fromEntries(Object.entries(object).filter(([other]) => other !== key));
  for (const [key, member] of Object.entries(object))
    for (const simpler of simplerJson(member)) yield { ...object, [key]: simpler };
}

/** A UTF-16 unit as JSON may write it, whatever it is: half of a pair too. At every other place of a text its digits are capitals. */
export function unitEscape(unit: string, at = 0): string {
  const digits = unit.charCodeAt(0).toString(16).padStart(4, '0');
  return `\\u${at % 2 === 0 ? digits : digits.toUpperCase()}`;
}
