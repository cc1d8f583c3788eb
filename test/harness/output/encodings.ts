/** Ways in which a server may send a secret back. */
export const encodings: Readonly<Record<string, (secret: string) => string>> = {
  'as it is': (secret) => secret,
  'in lower case': (secret) => secret.toLowerCase(),
  'in upper case': (secret) => secret.toUpperCase(),
  backwards: (secret) => Array.from(secret).toReversed().join(''),
  'in base64': (secret) => base64(secret),
  'in base64 with Bearer': (secret) => base64(`Bearer ${secret}`),
  'in base64 of a JSON object': (secret) => base64(JSON.stringify({ token: secret, at: 1 })),
  'in base64url': (secret) => Buffer.from(`Bearer ${secret}`).toString('base64url'),
  'in base64 of lower case': (secret) => base64(secret.toLowerCase()),
  'in base64 twice': (secret) => base64(base64(secret)),
  'in hexadecimal': (secret) => hex(secret),
  'in upper hexadecimal': (secret) => hex(secret).toUpperCase(),
  'in base64 of hexadecimal': (secret) => base64(hex(secret)),
  'with reserved characters in percent': encodeURIComponent,
  'in percent': (secret) => percent(secret),
  'in upper percent': (secret) => percent(secret).toUpperCase(),
  'in percent twice': (secret) => encodeURIComponent(percent(secret)),
  'in base64 of percent': (secret) => base64(percent(secret)),
  'in JSON escapes': (secret) => escaped(secret, 'u', 4),
  'in upper JSON escapes': (secret) =>
    escaped(secret, 'u', 4).replaceAll(/[a-f]/g, (digit) => digit.toUpperCase()),
  'in JSON within JSON': (secret) => JSON.stringify(escaped(secret, 'u', 4)),
  'with slashes escaped': (secret) => secret.replaceAll('/', '\\/'),
  'in a JSON Pointer': (secret) => secret.replaceAll('~', '~0').replaceAll('/', '~1'),
  'in escapes of bytes': (secret) => escaped(secret, 'x', 2),
  'in character references': (secret) => references(secret, (code) => `&#${code};`),
  'in hexadecimal character references': (secret) => references(secret, (code) => `&#x${code.toString(16)};`),
  'in named character references': (secret) =>
    secret.replaceAll(/[&<>"']/g, (character) => names[character] ?? character),
  'in a JSON string': (secret) => JSON.stringify(secret).slice(1, -1),
  'in a JSON string within HTML': (secret) =>
    JSON.stringify(secret)
      .slice(1, -1)
      .replaceAll(/[&<>"']/g, (character) => names[character] ?? character),
  'in Markdown': (secret) => secret.replaceAll(/[\\`*_[\]|~#]/g, String.raw`\$&`),
  'with every other character escaped': (secret) =>
    Array.from(secret, (character, at) => (at % 2 === 0 ? character : percent(character))).join(''),
};

const names: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

function hex(text: string): string {
  return Buffer.from(text).toString('hex');
}

function percent(text: string): string {
  return hex(text).replaceAll(/../g, '%$&');
}

function escaped(text: string, letter: string, digits: number): string {
  return Array.from(text, (character) => `\\${letter}${hex(character).padStart(digits, '0')}`).join('');
}

function references(text: string, form: (code: number) => string): string {
  return Array.from(text, (character) => form(character.charCodeAt(0))).join('');
}
