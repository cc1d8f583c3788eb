import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { conform } from './conform.ts';
import { UsedReference } from './use-reference.ts';

const used = new UsedReference();

it('a run interrupted by Ctrl-C ends with exit 130 and the report of what ran', async () => {
  const out = join(used.folder, 'interrupted.ndjson');
  let interruptedMs = 0;
  const { code, stdout } = await conform(['--target', used.targetPath, '--out', out], {
    onStart: (child) => {
      const timer = setInterval(() => {
        if (!existsSync(out) || !readFileSync(out, 'utf8').includes('"type":"check"')) return;
        clearInterval(timer);
        interruptedMs = performance.now();
        child.kill('SIGINT');
      }, 20);
    },
  });
  expect(stdout).toMatch(/interrupted/);
  expect(code).toBe(130);
  expect(performance.now() - interruptedMs).toBeLessThan(3_000);
});
