import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packageFile } from '../../spec/index.ts';

/** The root of the repository. */
export const root = dirname(packageFile('package.json'));
/** The pages for people, from the root. */
export const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'selftest/README.md',
  'selftest/clients/README.md',
  'examples/client/README.md',
  'examples/client-go/README.md',
  'examples/client-python/README.md',
  'examples/go/README.md',
  'examples/node-test/README.md',
  'examples/pytest/README.md',
  'examples/go-test/README.md',
  'examples/python/README.md',
  'examples/vitest/README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join('docs', file)),
];

/** A line of a shell block, as its reader types it. */
export interface FencedLine {
  readonly page: string;
  readonly line: string;
}

/** Every line of every shell block, in order; comments and what is the body of a script aside. */
export const fencedLines: readonly FencedLine[] = pages.flatMap((page) =>
  linesOf(page).map((line) => ({ page, line })),
);

function linesOf(page: string): readonly string[] {
  const text = readFileSync(join(root, page), 'utf8');
  const blocks = Array.from(
    text.matchAll(/^ *```(?:sh|bash|console)\n([^]*?)^ *```/gm),
    ([, body = '']) => body,
  );
  return blocks
    .flatMap((body) =>
      body.trimStart().startsWith('#!') ? [body.trim()] : body.replaceAll('\\\n', ' ').split('\n'),
    )
    .map((line) => line.trim())
    .filter((line) => line !== '' && (line.startsWith('#!') || !line.startsWith('#')));
}
