import { join } from 'node:path';
import { expect, it } from 'vitest';
import { conform } from '../../../cli/conform.ts';
import { ownFolder } from '../../../fixtures/folder.ts';

const folder = ownFolder('conform-killed-');

it('a reference under 32 clients that is killed five times loses, doubles and moves nothing', async () => {
  const { stdout, code } = await conform([
    ...'stress --time 60s --clients 32 --restarts 5 --data'.split(' '),
    join(folder, 'data.sqlite'),
    '--keep',
    folder,
  ]);
  expect(stdout).toContain('5 restarts, crossed by');
  expect(stdout).toContain('conforms in what was judged: nothing failed');
  expect(code).toBe(0);
});
