import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { packageFile } from '../../spec/index.ts';

const root = dirname(packageFile('package.json'));
const page = readFileSync(join(root, 'docs/mutation-testing.md'), 'utf8');

it('has figures of every oracle of answers', () => {
  const listed = [...page.matchAll(/^\| `spec\/oracles\/(\S+)` +\| +\d/gm)].map(([, file]) => file);
  const files = readdirSync(join(root, 'spec/oracles'), { recursive: true, encoding: 'utf8' });
  expect(new Set(listed)).toEqual(
    new Set(files.filter((file) => file.endsWith('.ts') && !file.startsWith('requests/'))),
  );
});

const argued = [...page.matchAll(/^\| `(spec\/oracles\/\S+)` (\d+) +\| `([^`]+)`/gm)].map(
  ([, file = '', line = '', code = '']): [string, string, string] => [file, line, code],
);

it.each(argued)('argues about code that is there: %s, line %s, %s', (file, line, code) => {
  expect(readFileSync(join(root, file), 'utf8').split('\n')[Number(line) - 1]).toContain(code);
});

it('accounts for every survivor', () => {
  const survivors = [...page.matchAll(/^\| `spec\/oracles\/\S+` .*\| +(\d+) +\|$/gm)].map(([, count]) =>
    Number(count),
  );
  expect(survivors.reduce((sum, count) => sum + count, 0)).toBe(argued.length);
});
