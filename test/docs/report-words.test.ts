import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from './pages.ts';

const folder = join(root, 'reporters/run');
const page = readFileSync(join(root, 'docs/reading-a-report.md'), 'utf8');

/** Words in capitals that head a section of the report on the terminal. */
function sectionsIn(file: string): readonly string[] {
  const text = readFileSync(join(folder, file), 'utf8');
  return [...text.matchAll(/'([A-Z][A-Z ]{3,})'/g)].map(([, word = '']) => word.trim());
}

it('reading a report explains every section that a report on the terminal may have', () => {
  const words = readdirSync(folder).flatMap(sectionsIn);
  expect(words.length).toBeGreaterThan(10);
  const isExplained = (word: string): boolean =>
    page.includes(`\`${word}\``) || page.toLowerCase().includes(`# ${word.toLowerCase()}\n`);
  expect([...new Set(words)].filter((word) => !isExplained(word))).toEqual([]);
});
