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
