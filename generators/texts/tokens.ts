import { randomInt } from 'node:crypto';

const digits = '0123456789';
const lowerCase = 'abcdefghijklmnopqrstuvwxyz';
const upperCase = lowerCase.toUpperCase();

/**
 * A random token that looks like `token`: every ASCII letter and digit is drawn again from its own class, anything else
 * stays. A server that issued one of 16 such characters or more has not issued this one.
 */
export function tokenLike(token: string): string {
  return token
    .replaceAll(/[0-9]/g, () => oneOf(digits))
    .replaceAll(/[a-z]/g, () => oneOf(lowerCase))
    .replaceAll(/[A-Z]/g, () => oneOf(upperCase));
}

/** `token` with eight more characters at its end, before the padding if it has any: no server issued that one. */
export function tokenWithMore(token: string): string {
  const more = Array.from({ length: 8 }, () => oneOf(lowerCase + digits)).join('');
  return token.replace(/=*$/, (padding) => more + padding);
}

/** `token` without its last character, nor the padding after it if it has any. */
export function tokenCutShort(token: string): string {
  return token.replace(/.=*$/, '');
}

/** `token` with another letter or digit in its middle, where a code for bytes has no bits to spare. */
export function tokenEditedInTheMiddle(token: string): string {
  const half = Math.floor(token.length / 2);
  const at = token.slice(half).search(letterOrDigit);
  return editedAt(token, at < 0 ? token.search(letterOrDigit) : half + at);
}

/** `token` with a sign in its middle that tokens may have and codes for bytes do not: who decodes one may pass over it. */
export function tokenWithASignInside(token: string): string {
  const half = Math.floor(token.length / 2);
  return `${token.slice(0, half)}~${token.slice(half)}`;
}

/** `token` with an underscore in place of a letter or digit in its middle: where texts are looked for by a pattern, it stands for any. */
export function tokenWithAPattern(token: string): string {
  const half = Math.floor(token.length / 2);
  return token.slice(0, half) + token.slice(half).replace(letterOrDigit, '_');
}

/** `token` with its last two letters or digits changed: of the last alone, a code for bytes may not use all bits. */
export function tokenEditedAtTheEnd(token: string): string {
  const places = [...token.matchAll(new RegExp(letterOrDigit, 'g'))].map(({ index }) => index).slice(-2);
  return places.reduce(editedAt, token);
}

/** `token` with its first letter or digit changed, which may belong to a word before the token proper. */
export function tokenEditedAtTheStart(token: string): string {
  return editedAt(token, token.search(letterOrDigit));
}

/** `token` with each letter in the other case: a code for bytes in 16 or 32 letters may know no case. */
export function tokenInOtherCase(token: string): string {
  return token.replaceAll(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
}

const letterOrDigit = /[A-Za-z0-9]/;

/** The character at `at` moved on by one within its class; the token itself where there is none. */
function editedAt(token: string, at: number): string {
  return at < 0 ? token : token.slice(0, at) + shiftedToken(token.charAt(at), 1) + token.slice(at + 1);
}

function oneOf(characters: string): string {
  return characters.charAt(randomInt(characters.length));
}

/**
 * A token that looks like `token` and is not it: every ASCII letter and digit moves on by `by` (1 to 9) within its class.
 * The same each time, so that a replay sends the same.
 */
export function shiftedToken(token: string, by: number): string {
  return token
    .replaceAll(/[0-9]/g, (digit) => movedOn(digits, digit, by))
    .replaceAll(/[a-z]/g, (letter) => movedOn(lowerCase, letter, by))
    .replaceAll(/[A-Z]/g, (letter) => movedOn(upperCase, letter, by));
}

function movedOn(characters: string, character: string, by: number): string {
  return characters.charAt((characters.indexOf(character) + by) % characters.length);
}
