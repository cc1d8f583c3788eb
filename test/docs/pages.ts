import { readdirSync } from 'node:fs';
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
  'examples/client/README.md',
  'examples/go/README.md',
  'examples/node-test/README.md',
  'examples/python/README.md',
  'examples/vitest/README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join('docs', file)),
];
