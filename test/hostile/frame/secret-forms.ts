/** A text form of a secret; `text` is looked for in whatever a command leaves, in any letter case. */
interface SecretForm {
  readonly form: string;
  readonly text: string;
}

/** Parts of a secret shorter than this say nothing. */
const leastPart = 12;

const named: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** The forms in which a secret could leave the process. Letter cases count as found by the one search. */
export function secretForms(secret: string): readonly SecretForm[] {
  const half = Math.ceil(secret.length / 2);
  const forms: readonly (readonly [string, string])[] = [
    ['as it is', secret],
    ['base64', unpadded(base64(secret))],
    ['base64 with Bearer', unpadded(base64(`Bearer ${secret}`))],
    ['base64url', Buffer.from(secret).toString('base64url')],
    ['base64url with Bearer', Buffer.from(`Bearer ${secret}`).toString('base64url')],
    ['base64 after one byte', inside(base64(`:${secret}`))],
    ['base64 after two bytes', inside(base64(`::${secret}`))],
    ['percent escapes', eachByte(secret, (hex) => `%${hex}`)],
    ['JSON escapes', eachByte(secret, (hex) => `\\u00${hex}`)],
    ['hex', Buffer.from(secret).toString('hex')],
    ['XML escapes', referenced(secret, '&apos;')],
    ['HTML escapes', referenced(secret, '&#39;')],
    ['JSON', JSON.stringify(secret).slice(1, -1)],
    ['Markdown', secret.replaceAll(/[\\`*_[\]|~#]/g, String.raw`\$&`)],
    ['its first half', half < leastPart ? '' : secret.slice(0, half)],
    ['its second half', half < leastPart ? '' : secret.slice(-half)],
  ];
  return forms.filter(([, text]) => text !== '').map(([form, text]) => ({ form, text: text.toLowerCase() }));
}

/** The forms of secrets that a text holds. Breaks of lines with their indent, as a report has them, count as nothing. */
export function secretsIn(text: string, secrets: readonly string[]): readonly string[] {
  const whole = text.toLowerCase();
  const joined = whole.replaceAll(/\n\s*/g, '');
  return secrets.flatMap((secret) =>
    secretForms(secret)
      .filter((each) => whole.includes(each.text) || joined.includes(each.text))
      .map(({ form }) => form),
  );
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

function unpadded(text: string): string {
  return text.replace(/=+$/, '');
}

/** Without the characters that its neighbours share in. */
function inside(text: string): string {
  return unpadded(text).slice(4, -1);
}

function referenced(text: string, apostrophe: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => named[character] ?? apostrophe);
}

function eachByte(text: string, escape: (hex: string) => string): string {
  return [...Buffer.from(text)].map((byte) => escape(byte.toString(16).padStart(2, '0'))).join('');
}
