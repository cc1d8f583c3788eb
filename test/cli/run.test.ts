import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { conform } from './conform.ts';
import { UsedReference } from './use-reference.ts';

const used = new UsedReference();

describe('a run', () => {
  it('of one check says what it came to', async () => {
    const check = 'overview.machine-sees-its-own-workspace';
    const passed = await conform(['--target', used.targetPath, '--check', check]);
    expect(passed.stdout).toMatch(/^SELECTED {2}1 check\n\n {2}passed +overview\.machine-sees/m);
    const open = await conform(['--base-url', used.target.base_url, '--check', check], {
      env: { CONFORM_AUTHOR_TOKEN: used.target.roles['author'] ?? '', CONFORM_CHANNEL: used.target.channel },
    });
    expect(open.stdout).toMatch(/^ {2}inconclusive +overview\.machine-sees\S+ +add `roles\.machine`/m);
  });

  it('interrupted by Ctrl-C ends with exit 130 and the report of what ran', async () => {
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
});
