/** What a text is made of, as far as servers differ by it. */
export const textForms = [
  'ascii',
  'bmp',
  'astral',
  'combining',
  'controls',
  'json',
  'white-space',
  'long-line',
] as const;

export type TextForm = (typeof textForms)[number];

/** Bytes from which on a text without an end of line is a long line. */
const longLine = 900;

/** The first of these that holds of a text, the rarer ones first; what none holds of is plain ASCII. */
const tests: readonly (readonly [TextForm, (text: string, isAscii: boolean) => boolean])[] = [
  // Control characters are what is looked for.
  // oxlint-disable-next-line no-control-regex
  ['controls', (text) => /[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(text)],
  ['json', (text) => /^[[{]/.test(text)],
  ['white-space', (text) => text.length > 1 && text !== text.trim()],
  ['astral', (text, isAscii) => !isAscii && /[\u{10000}-\u{10ffff}]/u.test(text)],
  ['combining', (text, isAscii) => !isAscii && /[\p{M}\p{Bidi_C}]/u.test(text)],
  ['bmp', (_text, isAscii) => !isAscii],
  ['long-line', (text) => text.length >= longLine && !text.includes('\n')],
];

/** The form of a text that takes so many bytes. */
export function formOf(text: string, bytes: number): TextForm {
  const isAscii = bytes === text.length;
  return tests.find(([, holds]) => holds(text, isAscii))?.[0] ?? 'ascii';
}
