import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hookLines, programFault } from '../../../harness/preflight/preflight-hooks.ts';
import { TargetFolder } from '../config/target-folder.ts';

let folder: TargetFolder;
beforeEach(() => {
  folder = new TargetFolder().with({
    'bin/run': '#!/bin/sh\n',
    'bin/text': 'no program',
    'conform.yaml': '',
  });
  chmodSync(join(folder.path, 'bin/run'), 0o755);
});
afterEach(() => folder.remove());

function fault(program: string, env: NodeJS.ProcessEnv = {}): string | undefined {
  return programFault({ command: [program], cwd: folder.path }, env);
}

describe('a program', () => {
  it('is found by path from the folder of the target file, and by name on PATH', () => {
    expect(fault('./bin/run')).toBeUndefined();
    expect(fault(join(folder.path, 'bin/run'))).toBeUndefined();
    expect(fault('run', { PATH: `/nowhere:${join(folder.path, 'bin')}` })).toBeUndefined();
    expect(fault('run', { PATH: 'bin' })).toBeUndefined();
  });

  it.each([
    ['', {}, 'is empty'],
    ['./bin/none', {}, 'does not exist'],
    ['./conform.yaml/x', {}, 'does not exist'],
    ['./bin/text', {}, 'may not be executed (chmod +x?)'],
    ['./bin', {}, 'is not a file'],
    ['run', { PATH: '/nowhere' }, 'is in no folder of PATH'],
    ['run', {}, 'is in no folder of PATH'],
    ['text', { PATH: 'bin' }, 'may not be executed (chmod +x?)'],
  ])('%j that cannot be run is known before it is needed', (program, env, expected) => {
    expect(fault(program, env)).toBe(expected);
  });
});

describe('preflight', () => {
  const read = (more = '') =>
    folder
      .with({
        'conform.yaml': `base_url: http://127.0.0.1:9\nhooks: {revoke: {command: [./bin/none]}, expire: {command: [./bin/run]}}\n${more}`,
      })
      .read().target;

  it('names each hook whose program cannot be run', () => {
    expect(hookLines(read(), {})).toEqual([
      {
        severity: 'error',
        text: 'hooks.revoke cannot be called: `./bin/none` does not exist; correct `hooks.revoke.command`, or leave the hook out',
      },
    ]);
  });

  it('does not ask for hooks in a read-only run', () => {
    expect(hookLines(read('limits: {read_only: true}\n'), {})).toEqual([]);
  });
});
