const quote = 0x22;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** What JSON text is like before it is parsed: nested too deep to be, with an integer that may be inexact as a number, or plain. */
type JsonForm = 'too-deep' | 'long-numbers' | 'plain';

const zero = 0x30;
const nine = 0x39;
/** Integers with fewer digits are exact as numbers. */
const longDigits = 16;

/** Reads the bytes of JSON text, so that it can say no before anything is parsed. Strings are passed over. */
export function formOf(bytes: Uint8Array, maxDepth: number): JsonForm {
  let depth = 0;
  let digits = 0;
  let hasLongNumber = false;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] ?? 0;
    if (byte >= zero && byte <= nine) {
      digits += 1;
      if (digits === longDigits) hasLongNumber = true;
      continue;
    }
    digits = 0;
    if (byte === quote) index = endOfString(bytes, index);
    else if (byte === openBracket || byte === openBrace) {
      depth += 1;
      if (depth > maxDepth) return 'too-deep';
    } else if (byte === closeBracket || byte === closeBrace) depth -= 1;
  }
  return hasLongNumber ? 'long-numbers' : 'plain';
}

/**
 * True when JSON text nests arrays and objects deeper than `limit`: nothing in the contract comes near it, and walking
 * such a value would overflow the stack of whoever tries.
 */
export function isDeeperThan(limit: number, bytes: Uint8Array): boolean {
  return formOf(bytes, limit) === 'too-deep';
}

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
