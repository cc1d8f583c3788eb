import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { clauses, packageFile } from '../spec/index.ts';
import { allChecks } from '../suites/index.ts';
import { conform } from './cli/conform.ts';
import { sourceFiles, textOf, topFolders } from './house.ts';
import { textsOf } from './source-texts.ts';

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
const wordSection = /\n## Words\n[\s\S]*?(?=\n## |$)/;

/** The rows of the list that a test can check: those without a sense in brackets. */
function wordList(): readonly Word[] {
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
function wordsIn(text: string, list: readonly Word[]): readonly string[] {
  const line = text.replaceAll(/\s+(?:\*\s+)?/g, ' ');
  return list.flatMap(({ word, instead, pattern, allowed }) => {
    if (line.search(pattern) === -1) return [];
    const rest = allowed.reduce((left, phrase) => left.replaceAll(phrase, ''), line);
    return Array.from(rest.matchAll(pattern), () => `${word} → ${instead}`);
  });
}

const list = wordList();

function filesIn(folder: string, end: string): readonly string[] {
  const files = readdirSync(join(dirname(packageFile('package.json')), folder), {
    recursive: true,
    encoding: 'utf8',
  });
  return files.filter((file) => file.endsWith(end)).map((file) => join(folder, file));
}

function inWords(id: string): string {
  return id.replaceAll(/[.-]/g, ' ');
}

/** The words of the list in the comments and strings of a source, each with its place. */
function strayWordsOf(file: string): readonly string[] {
  const source = textOf(file);
  if (wordsIn(source, list).length === 0) return [];
  return textsOf(file, source).flatMap(({ text, line }) =>
    wordsIn(text, list).map((word) => `${file}:${line} ${word}`),
  );
}

describe('the word list', () => {
  it('finds words, in singular and plural, but not parts of others', () => {
    expect(list.length).toBeGreaterThan(20);
    expect(wordsIn('Its twins were caught\n * in a second\n * look; remarkable.', list)).toEqual([
      'twin → control request',
      'second look → retry',
    ]);
    expect(wordsIn('A byte order mark in mark.ts, a mark', list)).toEqual(['mark → marker']);
  });

  it('sees comments and strings of a source, and no code', () => {
    const source = 'import a from "./twin.ts"; // one\nconst twin = /mark/; f(`two ${"three"} four`, a);';
    expect(textsOf('a.ts', source)).toEqual([
      { text: ' one', line: 1, isComment: true },
      { text: 'two ', line: 2, isComment: false },
      { text: 'three', line: 2, isComment: false },
      { text: ' four', line: 2, isComment: false },
    ]);
  });
});

describe('the words of the list are not used', () => {
  const pages = [
    'README.md',
    'CONTRIBUTING.md',
    ...['docs', 'examples', 'reference', 'selftest'].flatMap((folder) => filesIn(folder, '.md')),
    // What those list is code.
  ].filter((page) => !page.startsWith('docs/machine-mutants'));

  it.each(pages)('in %s', (page) => {
    expect(wordsIn(textOf(page).replace(wordSection, ''), list)).toEqual([]);
  });

  it.each(filesIn('test/reporters/golden', '.txt'))('in the report %s', (file) => {
    expect(wordsIn(textOf(file), list)).toEqual([]);
  });

  it('in the help of any command', async () => {
    const { stdout } = await conform(['--help']);
    const commands = [...stdout.matchAll(/^ {2}([a-z]+)\b/gm)].map(([, name = '']) => name);
    expect(commands).toContain('fuzz');
    const helps = await Promise.all(commands.map((command) => conform([command, '--help'])));
    expect([stdout, ...helps.map((help) => help.stdout)].flatMap((text) => wordsIn(text, list))).toEqual([]);
  });

  it('in titles and ids of checks', () => {
    const texts = allChecks.map(({ id, title }) => `${inWords(id)}: ${title}`);
    expect(texts.flatMap((text) => wordsIn(text, list).map((word) => `${text}: ${word}`))).toEqual([]);
  });

  it('in clauses', () => {
    const texts = clauses.map(({ id, text }) => `${inWords(id)}: ${text}`);
    expect(texts.flatMap((text) => wordsIn(text, list).map((word) => `${text}: ${word}`))).toEqual([]);
  });

  it.each(topFolders)('in comments and strings of %s', (folder) => {
    const files = sourceFiles().filter((file) => file.startsWith(`${folder}/`));
    expect(files.flatMap(strayWordsOf)).toEqual([]);
  });
});
