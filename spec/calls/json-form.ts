const quote = 0x22;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

const comma = 0x2c;
const colon = 0x3a;

/** What JSON text is like before it is parsed. */
export interface JsonForm {
  /** Why it is not to be parsed. */
  readonly isBeyond?: 'depth' | 'values' | 'digits';
  /** It has an integer that may be inexact as a number. */
  readonly hasLongNumbers: boolean;
  /** How many values it has, at most. */
  readonly values: number;
  /** Bytes of its longest string as it is written, escapes and all. */
  readonly longestString: number;
  /** Its strings of at least {@link leastLongBytes} that are no names, in their order. */
  readonly longStrings: readonly StringPlace[];
}

/** Where a string stands among bytes: `start` is its first quote, `end` lies behind its last. */
interface StringPlace {
  readonly start: number;
  readonly end: number;
}

/** A shorter string is read faster than it is found again. */
const leastLongBytes = 8_000;

/** JSON nested deeper than this is not looked at. */
export const maxJsonDepth = 256;
/** Values, names among them, of JSON that is looked at: a page of the contract has a hundredth of them at most. */
const mostValues = 500_000;
/** Digits of a number in it: what more of them cost grows faster than they do. */
const mostDigits = 200_000;
/** The bounds of JSON that is looked at, in words for what is beyond one. */
export const beyondBound = {
  depth: `JSON nested over ${maxJsonDepth} levels deep`,
  values: `JSON with over ${mostValues} values`,
  digits: `JSON with a number of over ${mostDigits} digits`,
} as const;
const zero = 0x30;
const nine = 0x39;
/** Integers with fewer digits are exact as numbers. */
const longDigits = 16;

/** Reads the bytes of JSON text, so that it can say no before anything is parsed. Strings are passed over. */
export function formOf(bytes: Uint8Array, maxDepth: number): JsonForm {
  let depth = 0;
  let digits = 0;
  let values = 1;
  let longestString = 0;
  let hasLongNumbers = false;
  const longStrings: StringPlace[] = [];
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] ?? 0;
    if (byte >= zero && byte <= nine) {
      digits += 1;
      if (digits === longDigits) hasLongNumbers = true;
      if (digits > mostDigits)
        return { isBeyond: 'digits', hasLongNumbers, values, longestString, longStrings };
      continue;
    }
    digits = 0;
    if (byte === quote) {
      values += 1;
      const end = endOfString(bytes, index);
      longestString = Math.max(longestString, end - index - 1);
      if (end - index > leastLongBytes && !isName(bytes, end + 1))
        longStrings.push({ start: index, end: end + 1 });
      index = end;
    } else if (byte === comma) values += 1;
    else if (byte === openBracket || byte === openBrace) {
      values += 1;
      depth += 1;
      if (depth > maxDepth) return { isBeyond: 'depth', hasLongNumbers, values, longestString, longStrings };
    } else if (byte === closeBracket || byte === closeBrace) depth -= 1;
  }
  if (values > mostValues) return { isBeyond: 'values', hasLongNumbers, values, longestString, longStrings };
  return { hasLongNumbers, values, longestString, longStrings };
}

/**
 * True when JSON text nests arrays and objects deeper than `limit`: nothing in the contract comes near it, and walking
 * such a value would overflow the stack of whoever tries.
 */
export function isDeeperThan(limit: number, bytes: Uint8Array): boolean {
  return formOf(bytes, limit).isBeyond === 'depth';
}

/** Whether a colon follows the string that ends before this place. */
function isName(bytes: Uint8Array, place: number): boolean {
  let next = place;
  while (jsonSpaces.has(bytes[next] ?? 0)) next += 1;
  return bytes[next] === colon;
}

const jsonSpaces = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** Where the quote is that ends the string beginning at `start`; the last byte when none does. */
function endOfString(bytes: Uint8Array, start: number): number {
  // Most bytes of an answer are in strings, and the engine's own search passes over them many at a time.
  for (let end = bytes.indexOf(quote, start + 1); end !== -1; end = bytes.indexOf(quote, end + 1)) {
    let backslashes = 0;
    while (bytes[end - 1 - backslashes] === backslash) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return bytes.length - 1;
}
