import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ownFolder } from '../fixtures/folder.ts';
import { runHosted } from './command-hosts.ts';
import { cleanEnv, conform } from './conform.ts';

const folder = ownFolder('command-hosts-');

/** Runs a program of ours; the next one runs in the same process, unless this one has ended it. */
function program(name: string, source: string, env = cleanEnv) {
  const main = join(folder, `${name}.mjs`);
  writeFileSync(main, source);
  const { child, ended } = runHosted({ main, args: [name], cwd: folder, env });
  return ended.then((end) => ({ ...end, pid: child.pid }));
}

describe('a command in a process that runs others too', () => {
  it.each([
    ['that is right', ['--version']],
    ['of a mistake', ['--check', 'no.such-check']],
    ['of no server', ['--base-url', 'http://127.0.0.1:1', '--author-token', 'x']],
  ])('ends and says what it does in one of its own, again and again: %s', async (_, args) => {
    const { durationMs: _own, ...alone } = await conform(args, { isAlone: true });
    for (let time = 0; time < 2; time += 1) {
      const { durationMs: _hosted, ...hosted } = await conform(args);
      expect(hosted).toEqual(alone);
    }
  });

  it('ends when nothing of it is open any more', async () => {
    const { code, stdout } = await program('waits', "setTimeout(() => console.log('over'), 100)");
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'over\n' });
  });

  it('leaves nothing to the next one', async () => {
    const leaving = `process.exitCode = 3; process.env.LEFT = 'x'; process.chdir('/');
      setTimeout(() => process.exit(4), 50).unref();
      for (const event of ['exit', 'SIGTERM']) process.on(event, () => console.log('heard'));
      process.stdout.on('error', () => {})`;
    const first = await program('leaving', leaving, { ...cleanEnv, GIVEN: 'y' });
    const next = await program(
      'next',
      `setTimeout(() => console.log(process.env.LEFT, process.env.GIVEN, process.cwd(), process.argv[2],
        process.listenerCount('SIGTERM'), process.stdout.listenerCount('error')), 200)`,
    );
    expect([first.code, first.stdout]).toEqual([3, 'heard\n']);
    expect([next.code, next.stdout]).toEqual([0, `undefined undefined ${folder} next 0 0\n`]);
    expect(next.pid).toBe(first.pid);
  });

  it.each([
    ['throws', "throw new Error('of ours')", 1],
    ['ends its process', 'process.exit(7)', 7],
    ['awaits what never comes', 'await new Promise(() => {})', 13],
  ])('takes no other along where it %s', async (name, source, code) => {
    expect((await program(name.replaceAll(' ', '-'), source)).code).toBe(code);
    expect((await program('after', "console.log('well')")).stdout).toBe('well\n');
  });
});
