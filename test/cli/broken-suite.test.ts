import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { packageFile } from '../../spec/package-file.ts';
import { ownFolder } from '../fixtures/folder.ts';

/** Folders and files that the built program reads beside its own. */
const beside = ['node_modules', 'spec', 'harness', 'suites', 'package.json'];

describe('a module of the suite that throws while it loads', () => {
  const folder = ownFolder('conform-broken-suite-');

  beforeAll(() => {
    cpSync(packageFile('dist'), join(folder, 'dist'), { recursive: true });
    for (const each of beside) symlinkSync(packageFile(each), join(folder, each));
    appendFileSync(join(folder, 'dist/suites/file/metadata.js'), "\nthrow new Error('not to be loaded');\n");
  });

  it.each([
    ['beside an embedded reference', []],
    ['with a server that is named', ['--base-url', 'http://127.0.0.1:9']],
  ])('ends the run at once as a bug of the suite, and says where, %s', (_, flags) => {
    const { status, stderr } = spawnSync(
      process.execPath,
      [join(folder, 'dist/cli/main.js'), 'run', ...flags],
      { encoding: 'utf8', timeout: 30_000 },
    );
    expect(stderr).toMatch(/^conform: the checks cannot be loaded: not to be loaded$/m);
    expect(stderr).toMatch(/dist\/suites\/file\/metadata\.js:\d+/);
    expect(status).toBe(4);
  });
});
