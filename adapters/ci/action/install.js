// What the first step of action.yml runs: `key` names what would be installed, for a cache; without it that is installed where the
// cache had nothing. What runs needs no more than the package does, and the compiler comes by itself, at the version and digest
// of the lock file.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(fileURLToPath(import.meta.url), '../../../..');
const made = new Set(['node_modules', 'dist', '.git']);

/** @param {string} folder @returns {string[]} */
function filesIn(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !made.has(name))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? filesIn(path) : [path];
    })
    .sort();
}

/** The sources and the platform that they are installed for. */
function key() {
  const hash = createHash('sha256');
  for (const file of filesIn(root)) hash.update(file.slice(root.length)).update(readFileSync(file));
  const [major = ''] = process.versions.node.split('.');
  return `conform-${process.platform}-${process.arch}-node${major}-${hash.digest('hex').slice(0, 40)}`;
}

/** @param {string} folder @param {string} program @param {readonly string[]} args */
function run(folder, program, args) {
  const isWindows = process.platform === 'win32' && program === 'npm';
  const { status } = spawnSync(program, args, { cwd: folder, stdio: 'inherit', shell: isWindows });
  if (status !== 0) process.exit(status ?? 1);
}

/** The compiler alone, in a folder of its own, as the lock file has it. @param {string} folder */
function compilerIn(folder) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const own = Object.entries(packages)
    .filter(([path]) => /^node_modules\/(?:typescript|@typescript\/typescript-[\w-]+)$/.test(path))
    .map(([path, entry]) => [path, { ...entry, dev: false }]);
  const { version } = packages['node_modules/typescript'];
  const about = { name: 'compiler', version: '1.0.0', dependencies: { typescript: version } };
  const lock = { ...about, lockfileVersion: 3, packages: { '': about, ...Object.fromEntries(own) } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(about));
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
  run(folder, 'npm', ['ci', '--no-audit', '--no-fund']);
  return join(folder, 'node_modules/typescript/bin/tsc');
}

function install() {
  if (existsSync(join(root, 'dist/cli/main.js')) && existsSync(join(root, 'node_modules'))) return;
  run(root, 'npm', ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund']);
  const folder = mkdtempSync(join(process.env['RUNNER_TEMP'] ?? tmpdir(), 'compiler-'));
  run(root, process.execPath, [compilerIn(folder), '-p', join(root, 'adapters/ci/action/tsconfig.json')]);
  rmSync(folder, { recursive: true, force: true });
}

if (process.argv[2] === 'key')
  appendFileSync(process.env['GITHUB_OUTPUT'] ?? '/dev/stdout', `key=${key()}\nroot=${root}\n`);
else install();
