import { createServer } from 'node:net';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { conform, separateReference } from './conform.ts';
import type { SeparateReference } from './conform.ts';

interface PrintedTarget {
  readonly base_url: string;
  readonly channel: string;
  readonly second_channel: string;
  readonly workspace: string;
  readonly roles: Readonly<Record<string, string>>;
}

let folder: string;
let reference: SeparateReference;
let target: PrintedTarget;
let targetPath: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'conform-'));
  reference = await separateReference();
  target = parse(reference.targetFile) as PrintedTarget;
  targetPath = join(folder, 'conform.yaml');
  writeFileSync(targetPath, reference.targetFile);
});

afterAll(async () => {
  await reference.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('a run', () => {
  it('of one check says what it came to', async () => {
    const check = 'overview.machine-sees-its-own-workspace';
    const passed = await conform(['--target', targetPath, '--check', check]);
    expect(passed.stdout).toMatch(/^SELECTED {2}1 check\n\n {2}passed +overview\.machine-sees/m);
    const open = await conform(['--base-url', target.base_url, '--check', check], {
      env: { CONFORM_AUTHOR_TOKEN: target.roles['author'] ?? '', CONFORM_CHANNEL: target.channel },
    });
    expect(open.stdout).toMatch(/^ {2}inconclusive +overview\.machine-sees\S+ +add `roles\.machine`/m);
  });

  it('without a server judges the embedded reference, ends with exit 0 and a tally', async () => {
    const { code, stdout, stderr } = await conform([]);
    expect(stdout).toMatch(/embedded reference/);
    expect(stdout).toMatch(/conforms: nothing failed, (\d+) of \1 must clauses shown \(exit 0\)/);
    expect(stderr).toBe('');
    expect(code).toBe(0);
  });

  it('with a base URL alone ends with exit 3 and says what is missing', async () => {
    const { code, stdout } = await conform(['--base-url', target.base_url]);
    expect(stdout).toMatch(/no credential is configured.*roles\.author.*channel/s);
    expect(code).toBe(3);
  });

  it('against a server that is down ends with exit 3 within 5 s and one clear line', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    await new Promise((resolve) => server.close(resolve));
    const { code, stdout, durationMs } = await conform(['--base-url', `http://127.0.0.1:${port}`]);
    expect(stdout.match(/cannot be reached/g)).toHaveLength(1);
    expect(code).toBe(3);
    expect(durationMs).toBeLessThan(5_000);
  });

  it('with a credential that is refused ends with exit 3 within 5 s and names the role', async () => {
    const args = ['--target', targetPath, '--reader-token', 'env:WRONG'];
    const { code, stdout, durationMs } = await conform(args, { env: { WRONG: 'not-a-token' } });
    expect(stdout).toMatch(/credential of reader is refused/);
    expect(stdout).not.toContain('not-a-token');
    expect(code).toBe(3);
    expect(durationMs).toBeLessThan(5_000);
  });

  it('with a wrong field in the target file ends with exit 2 and names file, line and field', async () => {
    const wrong = join(folder, 'wrong.yaml');
    writeFileSync(wrong, reference.targetFile.replace(/^channel:/m, 'chanel:'));
    const { code, stderr } = await conform(['--target', wrong]);
    expect(stderr).toMatch(/wrong\.yaml:3:1.*`chanel`.*did you mean `channel`/);
    expect(code).toBe(2);
  });

  it.each([
    ['an unknown option', ['--bas-url', 'x'], /unknown option/],
    ['an unknown check', ['--check', 'send.nothing'], /no check "send.nothing"/],
    ['an unknown clause', ['--clause', 'mentions.ascendin'], /did you mean mentions.ascending/],
    ['a base URL that is none', ['--base-url', 'nonsense'], /base-url/],
    ['a number that is none', ['--settle-ms', 'soon'], /--settle-ms takes a number/],
    ['no request at all a second', ['--rate-per-second', '0'], /--rate-per-second takes a number above 0/],
    ['no check at once', ['--concurrency', '0'], /--concurrency takes a number above 0/],
    ['a target file that is not there', ['--target', 'nowhere.yaml'], /nowhere\.yaml/],
  ])('with %s ends with exit 2 and says so', async (_, args, message) => {
    const { code, stderr } = await conform(args);
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
  });

  it('interrupted by Ctrl-C ends with exit 130 and the report of what ran', async () => {
    const out = join(folder, 'interrupted.ndjson');
    let interruptedMs = 0;
    const { code, stdout } = await conform(['--target', targetPath, '--out', out], {
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

  it('prints no secret', async () => {
    const { stdout, stderr } = await conform([
      '--target',
      targetPath,
      '--verbose',
      '--out',
      join(folder, 'secrets.ndjson'),
    ]);
    const kept = readFileSync(join(folder, 'secrets.ndjson'), 'utf8');
    for (const token of Object.values(target.roles)) expect(stdout + stderr + kept).not.toContain(token);
  });
});
