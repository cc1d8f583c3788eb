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

/** Simpler lists: one element alone, one less, one simpler. */
export function* simplerLists<Item>(
  list: readonly Item[],
  simplerItem: (item: Item) => Iterable<Item>,
): Generator<readonly Item[]> {
  if (list.length > 0) yield [];
  if (list.length > 2) yield list.slice(0, Math.ceil(list.length / 2));
  for (const index of list.keys()) yield list.toSpliced(index, 1);
  for (const [index, item] of list.entries())
    for (const simpler of simplerItem(item)) yield list.with(index, simpler);
}

/** Simpler strings: halves, one unit less, one unit plainer. For strings of at most some hundred units. */
export function* simplerStrings(text: string): Generator<string> {
  if (text.length > 0) yield '';
  if (text.length > 2)
    yield* [text.slice(0, Math.ceil(text.length / 2)), text.slice(Math.floor(text.length / 2))];
  for (let index = 0; index < text.length; index += 1) {
    yield text.slice(0, index) + text.slice(index + 1);
    for (const plain of ['0', 'a'])
      if (text[index] !== plain) yield text.slice(0, index) + plain + text.slice(index + 1);
  }
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
