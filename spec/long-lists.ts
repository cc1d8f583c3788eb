/** Items of one list that are validated at once: what is wrong with each is gathered in a time that grows by the square. */
const windowItems = 500;

/** A value with a part of each of its long lists. */
interface Window {
  readonly value: unknown;
  /** The JSON Pointer of the same place in the whole value. */
  readonly inWhole: (pointer: string) => string;
}

/** The value itself, if it has no long list; else in turn with the items of each list up to the 500th, up to the 1000th … */
export function* windowsOf(value: unknown): Generator<Window> {
  const longest = longestListIn(value);
  if (longest <= windowItems) {
    yield { value, inWhole: (pointer) => pointer };
    return;
  }
  for (let from = 0; from < longest; from += windowItems) {
    const starts = new Map<unknown, number>();
    const part = partOfList(value, from, starts);
    yield { value: part, inWhole: (pointer) => movedPointer(pointer, part, starts) };
  }
}

function longestListIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let longest = Array.isArray(value) ? value.length : 0;
  for (const member of Object.values(value)) longest = Math.max(longest, longestListIn(member));
  return longest;
}

/** Lists that are at their end give their last items again. */
function partOfList(value: unknown, from: number, starts: Map<unknown, number>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, partOfList(each, from, starts)]),
    );
  const start = Math.max(0, Math.min(from, value.length - windowItems));
  const part = value.slice(start, start + windowItems).map((each) => partOfList(each, from, starts));
  if (start > 0) starts.set(part, start);
  return part;
}

function movedPointer(pointer: string, part: unknown, starts: ReadonlyMap<unknown, number>): string {
  let at = part;
  return pointer
    .split('/')
    .map((step, depth) => {
      if (depth === 0 || typeof at !== 'object' || at === null) return step;
      const start = starts.get(at) ?? 0;
      at = (at as Readonly<Record<string, unknown>>)[step.replaceAll('~1', '/').replaceAll('~0', '~')];
      return start === 0 ? step : String(Number(step) + start);
    })
    .join('/');
}
