import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inject } from 'vitest';
import { packageFile } from '../../spec/package-file.ts';

const waitMs = 60_000;

/** The tarball of what is built, packed by whichever test file of a run needs it first; building is for `npm test`. */
export function packedTarball(): string {
  const folder = join(inject('runFolder'), 'package');
  const tarball = join(folder, 'package.tgz');
  if (isFirst(folder)) pack(folder, tarball);
  const deadline = Date.now() + waitMs;
  while (!existsSync(tarball)) {
    if (Date.now() > deadline) throw new Error('another test file has not packed the package');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
  }
  return tarball;
}

function isFirst(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch {
    return false;
  }
}

function pack(folder: string, tarball: string): void {
  const args = ['pack', '--ignore-scripts', '--json', '--loglevel=error', '--pack-destination', folder];
  const output = execFileSync('npm', args, {
    cwd: dirname(packageFile('package.json')),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [packed] = Object.values(JSON.parse(output) as Record<string, { filename: string }>);
  if (packed === undefined) throw new Error(`npm pack printed ${output}`);
  renameSync(join(folder, packed.filename), tarball);
}
