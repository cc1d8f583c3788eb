import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { conform } from './conform.ts';
import { UsedReference } from './use-reference.ts';

const used = new UsedReference();
const found = 'target file: conform.yaml (found in this folder)\n';
const check = '--check mentions.limit-of-101-is-refused';

/** Runs a command in the folder with the `conform.yaml` of the used reference. */
function inFolder(line: string, env: Readonly<Record<string, string>> = {}): ReturnType<typeof conform> {
  return conform(line.split(' '), { cwd: used.folder, env });
}

describe('conform.yaml of the folder', () => {
  it.each([
    ['run', `run ${check}`],
    ['run, where no command is named', check],
    ['doctor', 'doctor'],
    ['fuzz', 'fuzz --cases 20 --only mentions --out found-fuzz'],
    ['stress', 'stress --time 300ms --clients 2 --keep found-stress'],
  ])('is found by %s, which says so first', async (_, line) => {
    const { code, stdout } = await inFolder(line);
    expect(stdout.startsWith(found)).toBe(true);
    expect(stdout).not.toContain('embedded reference');
    expect(code).toBe(0);
  });

  it.each([
    ['run --watch', `${check} --watch`],
    ['chaos', 'chaos'],
  ])('is found by %s', async (_, line) => {
    let said = '';
    const { stdout, stderr } = await conform(line.split(' '), {
      cwd: used.folder,
      onStart: (child) => {
        const hear = (text: string): void => {
          said += text;
          if (/watching; Ctrl-C|stop it with Ctrl-C/.test(said)) child.kill('SIGINT');
        };
        child.stdout.on('data', (text: Buffer) => hear(text.toString()));
        child.stderr.on('data', (text: Buffer) => hear(text.toString()));
      },
    });
    expect(stdout + stderr).toContain(found);
    expect(stdout + stderr).toContain(used.target.base_url);
  });

  it('is not named where all but the verdict is left out', async () => {
    const { stdout } = await inFolder(`${check} --quiet`);
    expect(stdout).toMatch(/^conforms in what was selected: .*\n$/);
  });

  it('is not read where the server is named without it, and a line says so', async () => {
    const { stdout, stderr, code } = await inFolder(`${check} --base-url http://127.0.0.1:9`);
    expect(stdout).toContain('http://127.0.0.1:9 cannot be reached');
    expect(stderr).toMatch(/^warning: conform\.yaml of this folder is not read, /);
    expect(code).toBe(3);
  });

  it('gives way to that of CONFORM_TARGET, which is named', async () => {
    const other = join(used.folder, 'other.yaml');
    writeFileSync(other, used.targetFile.replace(/^base_url: .*/m, 'base_url: http://127.0.0.1:9'));
    const { stdout, ...ended } = await inFolder(check, { CONFORM_TARGET: 'other.yaml' });
    expect(ended).toMatchObject({ code: 3, stderr: '' });
    expect(stdout.startsWith('target file: other.yaml (CONFORM_TARGET)\n')).toBe(true);
  });

  it('gives way to --reference, as does the environment', async () => {
    const env = { CONFORM_BASE_URL: 'http://127.0.0.1:9', CONFORM_TARGET: 'none.yaml' };
    const { code, stdout, stderr } = await inFolder(`${check} --reference`, env);
    expect(stdout).toMatch(/^testing the embedded reference at /);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const kept = await inFolder('stress --time 300ms --clients 2 --data found.db --keep found-stress');
    expect(kept.stdout).toMatch(/^testing a reference with its data in found\.db\n/);
  });
});

it('a folder without a target file has the embedded reference tested, which a line says', async () => {
  const { stdout } = await conform(check.split(' '));
  expect(stdout).toMatch(/^no server given, and no conform\.yaml here; testing the embedded reference at /);
});
