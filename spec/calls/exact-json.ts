import { parse as parseLossless, isSafeNumber, stringify as stringifyLossless } from 'lossless-json';

// A number of 16 digits or more, or something inside a string that looks like one.
const longNumber = /(?:^|[:[,\s])-?[0-9]{16}/;

/**
 * Parses JSON without losing integers: beyond 2^53 they become bigint, everything else is as `JSON.parse` has it. Who
 * knows that no integer is that long says so: lossless parsing costs ten times as much.
 * @throws SyntaxError when `text` is not JSON
 */
export function parseExact(text: string, mayHaveLongNumbers = longNumber.test(text)): unknown {
  if (!mayHaveLongNumbers) return JSON.parse(text);
  // It has words of its own for what is wrong, and takes some things that are no JSON.
  JSON.parse(text);
  return parseLossless(text, null, { parseNumber, onDuplicateKey: ({ newValue }) => newValue });
}

/** Writes JSON with bigint as plain integers. Lone surrogates leave as escapes, as `JSON.stringify` writes them. */
export function stringifyExact(value: unknown): string {
  const text = stringifyLossless(value);
  if (text === undefined) throw new TypeError('value has no JSON form');
  return text;
}

/** An integer may be written with a fraction of zeros or an exponent as well, and is the same one. */
function parseNumber(text: string): number | bigint {
  if (isSafeNumber(text)) return Number(text);
  const [, digits, exponent = '0'] = /^(-?[0-9]+)(?:\.0+)?(?:[eE]\+?([0-9]{1,2}))?$/.exec(text) ?? [];
  return digits === undefined ? Number(text) : BigInt(digits) * 10n ** BigInt(exponent);
}
