import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describePackage } from './describe-package.ts';
import { lockedPackages, UserFolder } from './user-folder.ts';

const user = new UserFolder();

describe('the tarball', () => {
  it('has the compiled program and its data, and no tests, proofs, sources or maps', () => {
    const kinds = new Set(user.files.map((file) => /(?:\.d)?\.\w+$/.exec(file)?.[0] ?? file));
    expect([...kinds].toSorted()).toEqual(['.css', '.d.ts', '.js', '.json', '.md', '.yaml', 'LICENSE']);
    const folders = /(?:^|\/)(?:test|selftest\/(?!mutants|variants)\w+|bench|generate|pin|node_modules)\b/;
    expect(user.files.filter((file) => folders.test(file))).toEqual([]);
  });

  it('has every file that one of its programs imports or starts', () => {
    const missing = user.files
      .filter((file) => file.endsWith('.js'))
      .flatMap(importedBy)
      .filter((file) => !user.files.includes(file));
    expect(missing).toEqual([]);
  });

  it('imports nothing that is not installed with it', () => {
    const { dependencies, peerDependencies } = user.manifest;
    const installed = new Set(Object.keys({ ...dependencies, ...peerDependencies }));
    const imported = user.files.filter((file) => file.endsWith('.js')).flatMap(packagesOf);
    expect(imported).toContain('undici');
    expect(imported.filter((name) => !installed.has(name))).toEqual([]);
  });

  it('has every file that its manifest names', () => {
    const { exports, bin } = user.manifest;
    const named = filesIn([exports, bin]).filter((path) => !path.includes('*'));
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((path) => !user.files.includes(path))).toEqual([]);
  });

  it('has nothing that runs when it is installed, and neither has any package that comes with it', () => {
    expect(
      Object.keys(user.manifest.scripts).filter((name) => /install|^(?:pre|post)?prepare$/.test(name)),
    ).toEqual([]);
    const installed = lockedPackages.filter(([, { dev }]) => dev !== true);
    expect(installed.filter(([, { hasInstallScript }]) => hasInstallScript === true)).toEqual([]);
    expect(installed.length).toBeGreaterThan(5);
    expect(installed.length).toBeLessThan(40);
  });
});

describePackage(user);

/** The values of a manifest's field that are paths, from the root of the package. */
function filesIn(field: unknown): string[] {
  if (typeof field === 'string') return [field.replace(/^\.\//, '')];
  return typeof field === 'object' && field !== null ? Object.values(field).flatMap(filesIn) : [];
}

function textOf(file: string): string {
  return readFileSync(join(user.path, 'node_modules/messaging-conformance', file), 'utf8');
}

/** Packages that a program imports, by their names. */
function packagesOf(file: string): string[] {
  const imports = textOf(file).matchAll(
    /(?:^(?:import|export)\s(?:[\w*{}\s,$]+\sfrom\s)?|\bimport\()'((?:@[\w-]+\/)?[\w-]+)(?:\/[^']*)?'/gm,
  );
  return Array.from(imports, ([, name = '']) => name);
}

/** Files that a program names: by a path from itself, or from the root of the package. */
function importedBy(file: string): string[] {
  const text = textOf(file);
  const relatives = text.matchAll(/(?:\bfrom|\bimport|\bURL)\s*\(?\s*'(\.[^']+\.js)'/g);
  const fromRoot = text.matchAll(/packageFile\('(dist\/[^']+)'\)/g);
  return [
    ...Array.from(relatives, ([, path = '']) => join(dirname(file), path)),
    ...Array.from(fromRoot, ([, path = '']) => path),
  ];
}
