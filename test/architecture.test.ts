import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageFile } from '../spec/index.ts';

const root = dirname(packageFile('package.json'));

/** What each folder may import from, besides itself and packages. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  spec: [],
  generators: ['spec'],
  oracles: ['spec'],
  reference: ['spec'],
  harness: ['spec'],
  suites: ['spec', 'generators', 'oracles', 'harness'],
  fuzz: ['spec', 'generators', 'oracles', 'harness'],
  reporters: ['harness/results'],
  cli: ['spec', 'generators', 'oracles', 'reference', 'harness', 'suites', 'fuzz', 'reporters'],
  selftest: ['spec', 'reference', 'harness', 'suites', 'fuzz', 'cli'],
};

interface Import {
  readonly from: string;
  readonly to: string;
}

function importsOf(folder: string): Import[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => {
      const from = join(folder, file);
      const text = readFileSync(join(root, from), 'utf8');
      const paths = [...text.matchAll(/from '(\.[^']+)'/g)].flatMap(([, path]) => path ?? []);
      return paths.map((path) => ({ from, to: relative(root, resolve(root, dirname(from), path)) }));
    });
}

describe('the layers', () => {
  it.each(Object.entries(allowed))('%s imports only what it may', (folder, others) => {
    const strays = importsOf(folder).filter(
      ({ to }) => ![folder, ...others].some((each) => to === each || to.startsWith(`${each}/`)),
    );
    expect(strays).toEqual([]);
  });

  it('keep the vitest host the only place outside the tests that knows vitest', () => {
    const users = Object.keys(allowed).flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter(
          (file) =>
            file.endsWith('.ts') && /from 'vitest/.test(readFileSync(join(root, folder, file), 'utf8')),
        )
        .map((file) => join(folder, file)),
    );
    expect(users).toEqual(['harness/engine/vitest-host.ts']);
  });
});
