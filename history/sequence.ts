/** An exact integer: a number up to 2^53 - 1, a bigint beyond. Two that are equal are `===`, and any two compare with `<`. */
export type Sequence = number | bigint;

/** The integer that a parsed JSON value is; `undefined` for anything else. */
export function sequenceOf(value: unknown): Sequence | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : bigOf(value);
  if (typeof value !== 'bigint') return undefined;
  return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
}

/** More digits than any request line has: a text from a file may be of any length. */
const mostDigits = 100_000;

/** The integer that a decimal text is, as in a query; `undefined` for any other text. */
export function sequenceOfText(text: string | undefined): Sequence | undefined {
  if (text === undefined || text.length > mostDigits || !/^-?[0-9]+$/.test(text)) return undefined;
  return sequenceOf(BigInt(text));
}

/** For sorting by ascending sequence. */
export function bySequence(one: Sequence, other: Sequence): number {
  if (one < other) return -1;
  return one > other ? 1 : 0;
}

function bigOf(value: number): bigint | undefined {
  return Number.isInteger(value) ? BigInt(value) : undefined;
}
