import { textOf } from './house.ts';

/** A word that does not stand for a thing here, and what to say instead. */
interface Word {
  readonly word: string;
  readonly instead: string;
  /** The word by itself, in singular or plural and in any case. */
  readonly pattern: RegExp;
  /** Phrases in which it is right. */
  readonly allowed: readonly RegExp[];
}

/** The section of CONTRIBUTING that has the list. */
export const wordSection = /\n## Words\n[\s\S]*?(?=\n## |$)/;

/** The rows of the list that a test can check: those without a sense in brackets. */
export function wordList(): readonly Word[] {
  const section = wordSection.exec(textOf('CONTRIBUTING.md'))?.[0] ?? '';
  const rows = [...section.matchAll(/^\| (?!not )(\w[^|(]*?) +\| (.+?) +\|(.*)\|$/gm)];
  return rows.flatMap(([, words = '', instead = '', exceptions = '']) => {
    const allowed = [...exceptions.matchAll(/`([^`]+)`/g)].map(([, phrase = '']) => patternOf(phrase));
    return words.split(', ').map((word) => ({ word, instead, pattern: patternOf(word), allowed }));
  });
}

/** `…` stands for one to three words; parts of paths and of longer words do not count. */
function patternOf(phrase: string): RegExp {
  const words = phrase.split(' ').map((word) => (word === '…' ? String.raw`\S+(?: \S+){0,2}` : word));
  return new RegExp(String.raw`(?<![\w/-])${words.join(' ')}s?(?![\w/-]|\.\w)`, 'gi');
}

/** The words of the list in a text, each with what to say instead. */
export function wordsIn(text: string, list: readonly Word[]): readonly string[] {
  const line = text.replaceAll(/\s+(?:\*\s+)?/g, ' ');
  return list.flatMap(({ word, instead, pattern, allowed }) => {
    if (line.search(pattern) === -1) return [];
    const rest = allowed.reduce((left, phrase) => left.replaceAll(phrase, ''), line);
    return Array.from(rest.matchAll(pattern), () => `${word} → ${instead}`);
  });
}
