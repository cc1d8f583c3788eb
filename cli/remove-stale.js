// Removes from `dist` what was compiled from sources that are gone, or that no longer belong to the build: the compiler leaves it
// there, a package would take it along, and a test could import it still.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { exclude } = JSON.parse(readFileSync(join(root, 'tsconfig.build.json'), 'utf8'));
const excluded = new Set(exclude);

/** @param {string} file from `dist` */
function isStale(file) {
  const source = file.replace(/\.(?:d\.ts|js|js\.map)$/, '.ts');
  if (source === file) return false;
  const [top] = source.split(sep);
  return excluded.has(top) || !existsSync(join(root, source));
}

const dist = join(root, 'dist');
const files = existsSync(dist) ? readdirSync(dist, { recursive: true, encoding: 'utf8' }) : [];
for (const file of files.filter(isStale)) rmSync(join(dist, file));
