import type { Sequence } from '../sequence.ts';

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

/** Something that was under way from one time to another. */
interface Lasting {
  readonly startedMs: number;
  readonly endedMs: number;
}

/** When some things were under way: sorted once, for whoever asks often. */
export class Spans {
  readonly #begins: Float64Array;
  readonly #ends: Float64Array;

  constructor(spans: readonly Lasting[]) {
    this.#begins = Float64Array.from(spans, ({ startedMs }) => startedMs).toSorted();
    this.#ends = Float64Array.from(spans, ({ endedMs }) => endedMs).toSorted();
  }

  /** How many were under way in some time: those that began by its end, less those that ended before it began. */
  count({ startedMs, endedMs }: Lasting): number {
    const begun = countWhile(this.#begins.length, (rank) => (this.#begins[rank] ?? 0) <= endedMs);
    return begun - countWhile(this.#ends.length, (rank) => (this.#ends[rank] ?? 0) < startedMs);
  }
}

/** What was the highest of everything before a time. */
export class Highest<T> {
  readonly #times: Float64Array;
  /** Of the first of them, of the first two, and so on. */
  readonly #highest: readonly T[];

  constructor(values: readonly T[], timeOf: (value: T) => number, rankOf: (value: T) => Sequence) {
    const inOrder = byTime(values, timeOf);
    let highest = inOrder[0];
    this.#times = Float64Array.from(inOrder, timeOf);
    this.#highest = inOrder.map((value) =>
      highest === undefined || rankOf(value) > rankOf(highest) ? (highest = value) : highest,
    );
  }

  before(ms: number): T | undefined {
    return this.#highest[countWhile(this.#times.length, (rank) => (this.#times[rank] ?? 0) < ms) - 1];
  }
}
