import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanEnv } from '../cli/conform.ts';

/** A Node of its own. */
export interface OtherNode {
  /** The folder of its program. */
  readonly folder: string;
  readonly version: string;
  readonly remove: () => void;
}

const waitMs = 120_000;

/** Installs the newest Node of this platform from its npm package, or says in one line why there is none. */
export function installNewestNode(): OtherNode | { readonly lacks: string } {
  const own = mkdtempSync(join(tmpdir(), 'newest-node-'));
  const remove = (): void => rmSync(own, { recursive: true, force: true });
  const name = `node-${process.platform}-${process.arch}`;
  writeFileSync(join(own, 'package.json'), JSON.stringify({ private: true }));
  // Without scripts: this package has none, and none is to come.
  const args = [
    'install',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    `${name}@latest`,
  ];
  const { status, stderr, error } = spawnSync('npm', args, {
    cwd: own,
    env: cleanEnv,
    encoding: 'utf8',
    timeout: waitMs,
  });
  if (status !== 0) {
    remove();
    const why = error?.message ?? /npm error code (\w+)/.exec(stderr)?.[1] ?? 'npm failed';
    return { lacks: `the package ${name} cannot be installed (${why})` };
  }
  const folder = join(own, 'node_modules', name, 'bin');
  const version = execFileSync(join(folder, 'node'), ['--version'], { encoding: 'utf8' }).trim();
  return { folder, version, remove };
}
