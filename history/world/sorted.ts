/** How many of the first `length` ranks hold: `isWithin` is true up to some rank and false from there on. */
export function countWhile(length: number, isWithin: (rank: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isWithin(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Adds a value to the list under a key. */
export function push<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

/** Values by ascending time; mostly they are already. */
export function byTime<T>(values: readonly T[], timeOf: (value: T) => number): readonly T[] {
  let before = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    const time = timeOf(value);
    if (time < before) return values.toSorted((one, other) => timeOf(one) - timeOf(other));
    before = time;
  }
  return values;
}
