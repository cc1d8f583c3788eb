import { parse as parseLossless, isSafeNumber, stringify as stringifyLossless } from 'lossless-json';

// A number of 16 digits or more, or something inside a string that looks like one.
const longNumber = /(?:^|[:[,\s])-?[0-9]{16}/;

/**
 * Parses JSON without losing integers: beyond 2^53 they become bigint, everything else is as `JSON.parse` has it.
 * @throws SyntaxError when `text` is not JSON
 */
export function parseExact(text: string): unknown {
  const plain: unknown = JSON.parse(text);
  // Only a long number can be inexact, and lossless parsing costs ten times as much.
  if (!longNumber.test(text)) return plain;
  return parseLossless(text, null, { parseNumber, onDuplicateKey: ({ newValue }) => newValue });
}

/** Writes JSON with bigint as plain integers. Lone surrogates leave as escapes, as `JSON.stringify` writes them. */
export function stringifyExact(value: unknown): string {
  const text = stringifyLossless(value);
  if (text === undefined) throw new TypeError('value has no JSON form');
  return text;
}

function parseNumber(text: string): number | bigint {
  return /^-?[0-9]+$/.test(text) && !isSafeNumber(text) ? BigInt(text) : Number(text);
}
