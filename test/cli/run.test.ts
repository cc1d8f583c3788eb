import { createServer } from 'node:net';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
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

  it('without a server judges the embedded reference, ends with exit 0 and a tally', async () => {
    const { code, stdout, stderr } = await conform([]);
    expect(stdout).toMatch(/embedded reference/);
    expect(stdout).toMatch(/conforms: nothing failed, (\d+) of \1 must clauses shown \(exit 0\)/);
    // On a busy machine it takes so long that it says it is at work.
    expect(stderr.replaceAll(/^run: \d+ s so far, .*\n/gm, '')).toBe('');
    expect(code).toBe(0);
  });

  it('with a base URL alone ends with exit 3 and says what is missing', async () => {
    const { code, stdout } = await conform(['--base-url', used.target.base_url]);
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
    const args = ['--target', used.targetPath, '--reader-token', 'env:WRONG'];
    const { code, stdout, durationMs } = await conform(args, { env: { WRONG: 'not-a-token' } });
    expect(stdout).toMatch(/credential of reader is refused/);
    expect(stdout).not.toContain('not-a-token');
    expect(code).toBe(3);
    expect(durationMs).toBeLessThan(5_000);
  });

  it('with a wrong field in the target file ends with exit 2 and names file, line and field', async () => {
    const wrong = join(used.folder, 'wrong.yaml');
    writeFileSync(wrong, used.targetFile.replace(/^channel:/m, 'chanel:'));
    const { code, stderr } = await conform(['--target', wrong]);
    expect(stderr).toMatch(/wrong\.yaml:3:1.*`chanel`.*did you mean `channel`/);
    expect(code).toBe(2);
  });

  it.each([
    ['an unknown option', ['--bas-url', 'x'], /unknown option/],
    ['an unknown check', ['--check', 'send.nothing'], /no check "send.nothing"/],
    ['an unknown clause', ['--clause', 'mentions.ascendin'], /did you mean mentions.ascending/],
    ['a base URL that is none', ['--base-url', 'nonsense'], /base-url/],
    [
      'a number that is none',
      ['--settle-ms', 'soon'],
      /--settle-ms takes a whole number of milliseconds, 0 to 600000$/m,
    ],
    ['a target file that is not there', ['--target', 'nowhere.yaml'], /nowhere\.yaml/],
  ])('with %s ends with exit 2 and says so', async (_, args, message) => {
    const { code, stderr } = await conform(args);
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
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
