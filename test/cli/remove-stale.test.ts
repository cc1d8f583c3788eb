import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { packageFile } from '../../spec/package-file.ts';
import { ownFolder } from '../fixtures/folder.ts';

const folder = ownFolder('conform-stale-');

function write(...files: readonly string[]): void {
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), '');
  }
}

function outputsOf(file: string): string[] {
  return [`dist/${file}.js`, `dist/${file}.js.map`, `dist/${file}.d.ts`];
}

it('what was compiled from a source that is gone, or left the build, leaves dist; nothing else does', () => {
  for (const file of ['cli/remove-stale.js', 'tsconfig.build.json'])
    cpSync(packageFile(file), join(folder, file));
  const kept = [...outputsOf('cli/here'), ...outputsOf('index'), 'dist/.tsbuildinfo'];
  write('cli/here.ts', 'index.ts', 'test/here.ts', 'vitest.config.ts', ...kept);
  write(...outputsOf('cli/gone'), ...outputsOf('gone/all'), ...outputsOf('test/here'));
  write(...outputsOf('vitest.config'));
  execFileSync(process.execPath, [join(folder, 'cli/remove-stale.js')]);
  const left = readdirSync(join(folder, 'dist'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
  expect(left.toSorted()).toEqual(kept.toSorted());
});

it.each(['build', 'prepack'])('`npm run %s` removes it', (name) => {
  const { scripts } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  expect(scripts[name]).toMatch(/&& node cli\/remove-stale\.js$/);
});
