import { fullFormats } from 'ajv-formats/dist/formats.js';
import { baseFormat, isBaseDate } from './base-formats.ts';
import { isDateTime, isIso8601DateTime } from './date-time.ts';

/** Largest message content that a send takes, in UTF-8 bytes. */
export const maxContentBytes = 500_000;

/** Mention targets of one message at most. */
export const maxTargets = 20;

/** What may stand beside a content in the body of a send: twenty targets, twenty files, a session and a host take half of it. */
const besideContentBytes = 8_192;

/**
 * Longest body of a send that is sure to be within every limit on bodies, in bytes: the longest content in as many bytes as it has. JSON
 * can spell a content in six times its bytes; that a body of that length is taken is only implied.
 */
export const surelyTakenBodyBytes = maxContentBytes + besideContentBytes;

/**
 * Longest query that is sure to be read, in characters: the least that servers and what stands before them commonly have room for. How long
 * one may be is left open.
 */
export const surelyReadQueryLength = 2_048;

const isBaseUuid = baseFormat('uuid');

/** A UUID in its 8-4-4-4-12 form, in either letter case, of any version and variant; the nil UUID too, a URN not. */
export function isUuid(text: string): boolean {
  return text.length === 36 && isBaseUuid(text);
}

// RFC 5321 with the internationalised characters of RFC 6531. `_` in a host name is let through: hosts have it.
const atomCharacter = String.raw`[A-Za-z0-9!#$%&'*+\/=?^_\x60{|}~-]|[^\x00-\x7f\p{Cc}\p{Cs}\p{Z}]`;
const atom = `(?:${atomCharacter})+`;
const quotedLocal = String.raw`"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\[\x20-\x7e]|[^\x00-\x7f\p{Cc}\p{Cs}])*"`;
const labelCharacter = String.raw`[A-Za-z0-9_]|[^\x00-\x7f\p{Cc}\p{Cs}\p{Z}]`;
const hostLabel = `(?:${labelCharacter})(?:(?:${labelCharacter}|-)*(?:${labelCharacter}))?`;
const addressLiteral = String.raw`\[[\x21-\x5a\x5e-\x7e]+\]`;
const emailPattern = new RegExp(
  String.raw`^(?:${atom}(?:\.${atom})*|${quotedLocal})@(?:${hostLabel}(?:\.${hostLabel})*|${addressLiteral})$`,
  'u',
);

/**
 * An e-mail address: an undotted host (`owner@localhost`), a quoted local part, an address literal and
 * internationalised characters are all right. Length limits of mail servers are not applied.
 */
export function isEmail(text: string): boolean {
  return emailPattern.test(text);
}

const timeOfDay = '(?:(?:[01][0-9]|2[0-3])[0-5][0-9](?:[0-5][0-9]|60)|240000)';
const providerDPattern = new RegExp(
  `^([0-9]{4})([0-9]{2})([0-9]{2})_${timeOfDay}_[0-9a-f]{6}(?:[0-9a-f]{2})?$`,
);

/**
 * A session id of `provider_d` whose leading date and time exist in the Gregorian calendar.
 * Second 60, 24:00:00 and year 0000 count as existing, because the contract does not say whether they do; no other time
 * of hour 24 is one anywhere.
 */
export function isProviderDTimestamp(text: string): boolean {
  const [, year, month, day] = providerDPattern.exec(text) ?? [];
  return isBaseDate(`${year}-${month}-${day}`);
}

/** Text that a send may carry: 1 to {@link maxContentBytes} bytes of UTF-8, no unpaired surrogate, no U+0000. */
export function isContentText(text: string): boolean {
  if (text.includes('\u0000') || hasLoneSurrogate(text)) return false;
  const sizeBytes = Buffer.byteLength(text, 'utf8');
  return sizeBytes >= 1 && sizeBytes <= maxContentBytes;
}

function hasLoneSurrogate(text: string): boolean {
  return /\p{Surrogate}/u.test(text);
}

type Predicates = Readonly<Record<string, (text: string) => boolean>>;

/** Formats of the standard in which `ajv-formats` errs, under its names; the tests show where. */
export const mendedFormats = {
  uuid: isUuid,
  email: isEmail,
  'date-time': isDateTime,
} as const satisfies Predicates;

/** Formats that no standard has, under names of their own. */
export const ownFormats = {
  'iso-8601-date-time': isIso8601DateTime,
  'provider-d-timestamp': isProviderDTimestamp,
  'content-text': isContentText,
} as const satisfies Predicates;

/** The formats of our validators, for the option of ajv of that name: those of `ajv-formats`, mended, and our own. */
export const formats = { ...fullFormats, ...mendedFormats, ...ownFormats } as const;
