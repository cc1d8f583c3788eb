import { readings } from './plain-units.ts';

/** One form that a secret may come in, folded; with what of its neighbours tells of it. */
export interface SecretForm {
  readonly text: string;
  /** So many characters of it next to each other tell it: less is left of one that is cut, or changed by a character. */
  readonly least: number;
  /** Characters of base64 before and after that hold bits of its edges. */
  readonly before: number;
  readonly after: number;
}

/** A form of fewer characters than this is found in too much else. */
export const shortestForm = 8;

/** A shorter part of a secret says nothing of it. */
const leastPart = 12;

/**
 * The forms of a secret beside those that reading makes one (letter case, escapes, base64url): itself,
 * backwards, in hexadecimal, and in base64 at each place that it may have among other bytes. `isThorough` adds those
 * two of what is in another letter case, or encoded, already.
 */
export function formsOf(
  secret: string,
  { isThorough }: { readonly isThorough: boolean },
): readonly SecretForm[] {
  const others = [secret.toLowerCase(), secret.toUpperCase(), ...encodings(secret)];
  const encoded = [secret, ...(isThorough ? others : [])].flatMap(encodedForms);
  const backwards = Array.from(secret).toReversed().join('');
  const byText = new Map(
    [...[secret, backwards].flatMap(plainSecretForms), ...encoded].map((form) => [form.text, form]),
  );
  return [...byText.values()].filter(({ text }) => text.length >= shortestForm);
}

function plainSecretForms(text: string): readonly SecretForm[] {
  const texts = [text, ...withoutOpenEnds(text)].flatMap(readings);
  return texts.map(({ units }) => formOf(String.fromCharCode(...units)));
}

/** What begins an escape at the end of a secret, or ends one at its beginning, which a neighbour may make whole. */
const openEnd = /(?:\\+(?:u[0-9a-f]{0,3}|x[0-9a-f]?)?|%[0-9a-f]?|&#?x?[0-9a-z]{0,7}|~)$/i;
const openBeginning = /^(?:u[0-9a-f]{4}|x[0-9a-f]{2}|#?x?[0-9a-z]{0,7};|[0-9a-f]{1,4})/i;

/** A secret with characters that formats escape, without what is undone together with its neighbours then. */
function withoutOpenEnds(text: string): readonly string[] {
  if (/^[A-Za-z0-9._-]*$/.test(text)) return [];
  const ended = text.replace(openEnd, '');
  return [ended, text.replace(openBeginning, ''), ended.replace(openBeginning, '')];
}

function formOf(text: string): SecretForm {
  return { text, least: leastOf(text), before: 0, after: 0 };
}

function encodedForms(text: string): readonly SecretForm[] {
  const bytes = Buffer.from(text);
  return [formOf(bytes.toString('hex')), ...[0, 1, 2].map((offset) => base64Form(bytes, offset))];
}

/** What is the same in base64 whatever stands around it, when so many bytes of a group of three come before. */
function base64Form(bytes: Uint8Array, offset: number): SecretForm {
  const text = Buffer.concat([new Uint8Array(offset), bytes]).toString('base64url');
  const before = Math.ceil((offset * 8) / 6);
  const after = (offset + bytes.byteLength) % 3 === 0 ? 0 : 1;
  // Of its alphabet only letters are folded.
  const core = text.slice(before, text.length - after).toLowerCase();
  return {
    text: core,
    least: leastOf(core),
    before: offset === 0 ? 0 : 1,
    // With what fills up the group.
    after: after === 0 ? 0 : 1,
  };
}

/** Half of it, as long as that cannot be anything else. */
function leastOf(text: string): number {
  return Math.min(text.length, Math.max(leastPart, Math.floor(text.length / 2)));
}

/** What a secret may be before it is encoded once more. */
function encodings(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0'));
  const percent = hex.map((byte) => `%${byte}`).join('');
  const bearer = Buffer.from(`Bearer ${secret}`);
  return [
    bytes.toString('base64'),
    bytes.toString('base64url'),
    bearer.toString('base64'),
    bearer.toString('base64url'),
    hex.join(''),
    hex.join('').toUpperCase(),
    percent,
    percent.toUpperCase(),
    encodeURIComponent(secret),
    hex.map((byte) => `\\u00${byte}`).join(''),
  ];
}
