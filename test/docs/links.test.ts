import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { textOf, topFolders } from '../house.ts';
import { pages, root } from './pages.ts';

/** Where the links of a page lead within the repository, as they are written. */
function linksOf(page: string): string[] {
  const prose = textOf(page)
    .replaceAll(/```[\s\S]*?```/g, '')
    .replaceAll(/`[^`]*`/g, '');
  return Array.from(prose.matchAll(/\]\(([^)\s]+)\)/g), ([, link = '']) => link).filter(
    (link) => !/^[a-z]+:/.test(link),
  );
}

/** The names by which headings of a page can be linked to. */
function anchorsOf(page: string): string[] {
  return Array.from(textOf(page).matchAll(/^#+ (.*)$/gm), ([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}

function isBroken(page: string, link: string): boolean {
  const [file = '', anchor] = link.split('#');
  const to = file === '' ? page : join(dirname(page), file);
  if (!existsSync(join(root, to))) return true;
  return anchor !== undefined && !anchorsOf(to).includes(anchor);
}

it.each(pages)('every link of %s leads somewhere', (page) => {
  expect(linksOf(page).filter((link) => isBroken(page, link))).toEqual([]);
});

/** Files of the repository that a page names beside its links, from the root; the last name may come without what ends it. */
function namedFilesOf(page: string): string[] {
  const folders = topFolders.join('|');
  const named = new RegExp(`\`((?:${folders}|test|bench|docs|examples|workflows)/[\\w./-]+)\``, 'g');
  return Array.from(textOf(page).matchAll(named), ([, path = '']) => path);
}

it.each(pages)('every file that %s names is there', (page) => {
  const isThere = (path: string): boolean =>
    ['', '.ts', '.test.ts'].some((ending) => existsSync(join(root, path + ending)));
  expect(namedFilesOf(page).filter((path) => !isThere(path))).toEqual([]);
});

it('files that pages name are found', () => {
  expect(namedFilesOf('docs/bounds.md')).toContain('test/hostile/input/pipes.ts');
});

/** The folders that a table in a page lists, and those beside the page. */
function foldersOf(page: string): { listed: string[]; present: string[] } {
  const listed = Array.from(textOf(page).matchAll(/^\| `(\w+)\/`/gm), ([, name = '']) => name);
  const beside = readdirSync(join(root, dirname(page)), { withFileTypes: true });
  return { listed, present: beside.filter((entry) => entry.isDirectory()).map(({ name }) => name) };
}

it('the table of the folders of the reference lists them all', () => {
  const { listed, present } = foldersOf('reference/README.md');
  expect(listed.toSorted()).toEqual(present.toSorted());
});

it('a link to a file or a heading that is not there would be seen', () => {
  expect(isBroken('README.md', 'docs/ci.md')).toBe(false);
  expect(isBroken('README.md', 'docs/gone.md')).toBe(true);
  expect(isBroken('README.md', 'CONTRIBUTING.md#the-folders')).toBe(false);
  expect(isBroken('README.md', '#gone')).toBe(true);
});

it('the index of docs names every page', () => {
  const linked = new Set(linksOf('docs/README.md').map((link) => join('docs', link.split('#')[0] ?? '')));
  const own = pages.filter((page) => /^docs\/(?!decisions\/|README)/.test(page));
  expect(own.filter((page) => !linked.has(page))).toEqual([]);
});
