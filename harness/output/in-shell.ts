import { printable } from './printable.ts';

/** What no shell reads anything into. */
const plain = /^[\w@%+=:,./-]+$/;
/**
 * A text as one word of a shell, whatever is in it. What cannot be seen is written in escapes, which bash, zsh and ksh know:
 * the word stays on its line, and what is pasted is what was meant. Others read another word, and nothing else.
 */
export function quoted(text: string): string {
  if (printable(text) === text) return `'${text.replaceAll("'", String.raw`'\''`)}'`;
  return `$'${Array.from(text, escapedIn).join('')}'`;
}

/** The same, without quotes where a shell reads nothing into it. */
export function asWord(text: string): string {
  return plain.test(text) ? text : quoted(text);
}

/** A path as one word that no program takes for an option. */
export function asPath(path: string): string {
  return asWord(path.startsWith('-') ? `./${path}` : path);
}

function escapedIn(character: string): string {
  // In a shell without such quotes a quote would end them.
  const isPlain = character !== '\\' && character !== "'" && printable(character) === character;
  if (isPlain) return character;
  // Of always three digits, so that none after it is read as one more.
  return Array.from(Buffer.from(character), (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
}
