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
  const times = new Float64Array(values.length);
  values.forEach((value, index) => {
    times[index] = timeOf(value);
  });
  if (times.every((time, index) => index === 0 || time >= (times[index - 1] ?? 0))) return values;
  const order = values.map((_, index) => index);
  // Of the times alone: what they are of lies anywhere in memory.
  order.sort((one, other) => (times[one] ?? 0) - (times[other] ?? 0));
  return order.map((index) => values[index] as T);
}
