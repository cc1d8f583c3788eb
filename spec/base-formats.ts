// Its main file would load the ajv of another draft besides ours.
import { fullFormats, type FormatName } from 'ajv-formats/dist/formats.js';

/** A format of `ajv-formats` as a predicate over strings. */
export function baseFormat(name: FormatName): (text: string) => boolean {
  const format = fullFormats[name];
  if (format instanceof RegExp) return (text) => format.test(text);
  const validate: unknown = typeof format === 'object' ? format.validate : format;
  if (typeof validate !== 'function') throw new Error(`ajv-formats has no predicate for ${name}`);
  return (text) => Boolean(validate(text));
}

/** A day that exists, as `2024-05-06`. */
export const isBaseDate = baseFormat('date');

/**
 * A time of day with its offset, as `07:08:09Z`; an offset may lack its colon or its minutes, and second 60 is right where a
 * UTC day ends. Give it an hour up to 23, a minute up to 59, and no fraction: elsewhere it errs.
 */
export const isBaseTime = baseFormat('time');
