// Compiles the sources unless the last build is newer than all of them: a run need not wait for the compiler to find that out.
// `npm ci` does so too, so that the first run need not wait either. No script of an install does it, since npm would warn of
// one to everybody who installs the package.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stamp = join(root, 'dist/.tsbuildinfo');
const skipped = new Set(['node_modules', 'dist', 'test', 'bench']);

/** @param {string} folder */
function sourcesIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory())
      return entry.name.startsWith('.') || skipped.has(entry.name) ? [] : sourcesIn(path);
    return /\.ts$|^(?:tsconfig.*|package|clauses|client-clauses)\.json$/.test(entry.name) ? [path] : [];
  });
}

function isFresh() {
  if (!existsSync(stamp)) return false;
  const builtMs = statSync(stamp).mtimeMs;
  return sourcesIn(root).every((path) => statSync(path).mtimeMs <= builtMs);
}

const compiler = join(root, 'node_modules/typescript/bin/tsc');
const isInstalling = process.env['npm_lifecycle_event'] === 'dependencies';

if (!isFresh() && existsSync(compiler)) {
  const args = [compiler, '-p', join(root, 'tsconfig.build.json')];
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  // A source that does not compile is no reason not to install.
  process.exitCode = isInstalling ? 0 : (status ?? 1);
  // The compiler leaves its stamp alone when what changed changes nothing.
  if (status === 0) utimesSync(stamp, new Date(), new Date());
} else if (!isFresh() && !isInstalling) {
  process.stderr.write(
    'conform is not built, and there is no compiler: install with `npm ci`, development dependencies included\n',
  );
  process.exitCode = 2;
}
