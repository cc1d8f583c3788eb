/**
 * Everything that draws nothing of its own, or draws elsewhere: controls, lone surrogates, direction controls, private and
 * unassigned code points, every space but the plain one, and what a font may ignore.
 */
const unprintable = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/gu;

/** Most of what is shown: looking for classes of code points takes far longer. */
const plain = /^[ -~]*$/;

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Text that shows each of its characters and that no terminal obeys: what is not plainly visible becomes an escape
 * (`\n`, `\u001b`, `\ud800`, `\u{e0001}`). A server's bytes reach a terminal only through here. Idempotent.
 */
export function printable(text: string): string {
  if (plain.test(text)) return text;
  return text.replace(unprintable, (character) => (character === ' ' ? ' ' : escape(character)));
}

declare const isShown: unique symbol;
/** Text that a terminal shows and never obeys, but for colours and lines of our own. */
export type Shown = string & { readonly [isShown]: true };

/** One line with its end, {@link printable}. */
export function shownLine(text: string): Shown {
  return `${printable(text)}\n` as Shown;
}

/** Text of several lines, each {@link printable}. */
export function shownLines(text: string): Shown {
  return text.split('\n').map(printable).join('\n') as Shown;
}

/** A value as one line of JSON that every reader of JSON reads, and no terminal obeys. */
export function shownJson(value: unknown): Shown {
  const text = JSON.stringify(value).replace(unprintable, (character) =>
    character === ' '
      ? ' '
      : Array.from({ length: character.length }, (_, at) => escape(character.charAt(at))).join(''),
  );
  return `${text}\n` as Shown;
}

function escape(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  return short[character] ?? (code > 0xffff ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`);
}

/** East Asian wide and full-width ranges, and what is drawn as a picture by default. */
const wide =
  /[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;

/** Columns that one printable character takes at most: combining characters count as one with the one before. */
export function columnsOf(character: string): 1 | 2 {
  return wide.test(character) ? 2 : 1;
}

/** Columns that a text takes once it is {@link printable}. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of printable(text)) width += columnsOf(character);
  return width;
}

/**
 * The beginning of a text of somebody else's, with `…` where it was cut: by that a secret of which only the beginning is left is
 * known when the text is cleaned. Whoever has the secrets at hand cleans first.
 */
export function cut(text: string, most: number): string {
  return text.length > most ? `${firstUnits(text, most)}…` : text;
}

/** The first UTF-16 units of a text, `most` of them or one less: the half of a character would look like a fault of whoever sent it. */
export function firstUnits(text: string, most: number): string {
  const isParted = /^[\uD800-\uDBFF][\uDC00-\uDFFF]/.test(text.slice(most - 1, most + 1));
  return text.slice(0, isParted ? most - 1 : most);
}
