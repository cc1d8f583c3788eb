import { asText } from '../../spec/oracles/values/json-texts.ts';
import { type Judgement, judgeEach } from '../../spec/oracles/values/judgement.ts';

/** What is made of a text by whoever does not keep it as it is. */
type Change = (text: string) => string;

/** Ends of names that are prone to be changed: signs that a form, an address or a page spells otherwise, those that not every file system takes, then letters. */
export const nameEnds: readonly string[] = [
  'C++ a%20b &amp; c  D',
  '<a>: "b" | c? d*',
  ' re\u0301sume\u0301 \u212b \ufb01 \u{1f600}',
];

/** Whoever uploads may leave signs out, or put others in their place: that is none of these. */
export const nameChanges: readonly Change[] = [
  (name) => name.replaceAll(/\+|%20/g, ' '),
  (name) => name.replaceAll('+', ' '),
  (name) => name.replaceAll('%20', ' '),
  (name) => name.replaceAll('&amp;', '&'),
  (name) => name.replaceAll(/ +/g, ' '),
  ...['_', '-', ' ', ''].map((sign) => (name: string) => name.replaceAll(/[<>:"|?*]/g, sign)),
  (name) => name.toLowerCase(),
  (name) => name.toUpperCase(),
  (name) => name.normalize('NFC'),
  (name) => name.normalize('NFKC'),
];

/** Types with parameters, and a long one; all in small letters, since programs that upload make them small. */
export const fileTypes: readonly string[] = [
  'text/csv; charset=iso-8859-1; header=present',
  'application/vnd.example+json; version="2"',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
];

/** A type without its parameters, or without the last of them, as a form has it, and as long as some stores have a place for. */
export const typeChanges: readonly Change[] = [
  (type) => type.replace(/;.*$/, ''),
  (type) => type.replace(/;[^;]*$/, ''),
  (type) => type.replaceAll('+', ' '),
  (type) => type.slice(0, 64),
];

/** Judges what is shown in the place of each text that was given, where it is that text or one that a change makes of it. */
export function judgeGiven(
  given: readonly string[],
  shown: readonly unknown[],
  changes: readonly Change[],
): Judgement {
  const pairs = given.map((text, at) => ({ text, actual: asText(shown[at]) }));
  return judgeEach(
    pairs.filter(({ text, actual }) => [text, ...changes.map((change) => change(text))].includes(actual)),
    ({ text, actual }) => (actual === text ? undefined : { expected: text, actual }),
  );
}
