import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const packageRoot = findPackageRoot(dirname(fileURLToPath(import.meta.url)));

/**
 * Absolute path of a data file that ships with the package (schemas, clauses, examples).
 * `relativePath` is from the package root with `/` separators; the same call works from source and from `dist`.
 */
export function packageFile(relativePath: string): string {
  return join(packageRoot, ...relativePath.split('/'));
}

/** What such a file says, where it is JSON. */
export function packageJson(relativePath: string): unknown {
  return JSON.parse(readFileSync(packageFile(relativePath), 'utf8'));
}

function findPackageRoot(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error('package.json of this package was not found above its own modules');
  return findPackageRoot(parent);
}
