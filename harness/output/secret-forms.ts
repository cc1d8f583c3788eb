import { readings } from './plain-units.ts';

/** One form that a secret may come in, folded; with what of its neighbours tells of it. */
export interface SecretForm {
  readonly text: string;
  /** Characters of base64 before and after that hold bits of its edges. */
  readonly before: number;
  readonly after: number;
}

/** A form of fewer characters than this is found in too much else. */
export const shortestForm = 8;

/**
 * The forms of a secret beside those that reading makes one (letter case, escapes, base64url): itself,
 * backwards, in hexadecimal, and in base64 at each place that it may have among other bytes. `isEncodedTwice` adds those
 * two of what is encoded already.
 */
export function formsOf(
  secret: string,
  { isEncodedTwice }: { readonly isEncodedTwice: boolean },
): readonly SecretForm[] {
  const spelled = new Set([secret, secret.toLowerCase(), secret.toUpperCase()]);
  const once = [...spelled].flatMap(encodedForms);
  const twice = isEncodedTwice ? encodings(secret).flatMap(encodedForms) : [];
  const backwards = Array.from(secret).toReversed().join('');
  const byText = new Map(
    [...[secret, backwards].flatMap(plainForms), ...once, ...twice].map((form) => [form.text, form]),
  );
  return [...byText.values()].filter(({ text }) => text.length >= shortestForm);
}

function plainForms(text: string): readonly SecretForm[] {
  const texts = readings(text).map(({ units }) => String.fromCharCode(...units));
  return texts.map(formOf);
}

function formOf(text: string): SecretForm {
  return { text, before: 0, after: 0 };
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
  return {
    // Of its alphabet only letters are folded.
    text: text.slice(before, text.length - after).toLowerCase(),
    before: offset === 0 ? 0 : 1,
    // With what fills up the group.
    after: after === 0 ? 0 : 1,
  };
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
