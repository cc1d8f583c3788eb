import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CommandHook } from '../../../harness/config/target.ts';
import { refusalOf, token, useHooks } from './use-hooks.ts';

const { path, revoke, close } = useHooks();

/** A process that stays: `answer` is the body of a function of each call, which prints. */
function staying(answer: string, { timeoutMs = 5_000 } = {}): CommandHook {
  const script = `
    const fs = require('node:fs');
    const print = (id, output, delayMs = 0) => setTimeout(() => console.log(JSON.stringify({ id, output })), delayMs);
    fs.appendFileSync('started', process.pid + '\\n');
    const starts = fs.readFileSync('started', 'utf8').trim().split('\\n').length;
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const call = JSON.parse(line);
      fs.appendFileSync('asked', line + '\\n');
      ${answer}
    });`;
  writeFileSync(join(path(), 'hook.cjs'), script);
  return { command: [process.execPath, 'hook.cjs'], timeoutMs, cwd: path(), stays: true };
}

const linesOf = (name: string): readonly string[] =>
  existsSync(join(path(), name)) ? readFileSync(join(path(), name), 'utf8').trim().split('\n') : [];

describe('a process that stays', () => {
  it('is started once and asked line by line, each with a number of its own', async () => {
    const hook = staying('print(call.id, {})');
    for (let count = 0; count < 3; count += 1) expect(await revoke(hook)).toEqual({ output: {} });
    expect(linesOf('started')).toHaveLength(1);
    expect(linesOf('asked').map((line) => JSON.parse(line) as unknown)).toEqual(
      [1, 2, 3].map((id) => ({
        id,
        hook: 'revoke',
        base_url: 'http://127.0.0.1:9/prefix',
        input: { token },
      })),
    );
  });

  it('may answer out of order, and in pieces', async () => {
    const hook = staying(`
      const text = JSON.stringify({ id: call.id, output: { unsupported: 'é' + call.id } }) + '\\n';
      const bytes = Buffer.from(text);
      const cut = bytes.indexOf(0xc3) + 1;
      setTimeout(() => { process.stdout.write(bytes.subarray(0, cut)); setTimeout(() => process.stdout.write(bytes.subarray(cut)), 30) }, call.id === 1 ? 250 : 20)`);
    expect(await Promise.all([revoke(hook), revoke(hook)])).toEqual([
      { unsupported: 'é1' },
      { unsupported: 'é2' },
    ]);
  });

  it('is started once more when it dies, and asked again what it had not answered', async () => {
    const hook = staying('if (starts === 1) process.exit(7); print(call.id, {})');
    expect(await Promise.all([revoke(hook), revoke(hook)])).toEqual([{ output: {} }, { output: {} }]);
    expect(linesOf('started')).toHaveLength(2);
  });

  it('that dies again is named with its status and the end of its stderr', async () => {
    const hook = staying('console.error("no ' + token + '"); process.exit(7)');
    expect(await refusalOf(revoke(hook))).toBe(
      'hooks.revoke: its process exited with status 7, and so did the one before it; the end of its stderr: no <redacted> | no <redacted>',
    );
    expect(linesOf('started')).toHaveLength(2);
    expect(await refusalOf(revoke(hook))).toContain('its process exited with status 7');
    expect(linesOf('started')).toHaveLength(2);
  });

  it('says with an error what did not work, and goes on', async () => {
    const hook = staying(
      'if (call.id === 1) console.log(JSON.stringify({ id: 1, error: "the database is away" })); else print(call.id)',
    );
    expect(await refusalOf(revoke(hook))).toBe(
      'hooks.revoke: it answered with the error the database is away',
    );
    expect(await revoke(hook)).toEqual({ output: {} });
  });

  it.each([
    ['logs on its stdout', `console.log("revoked ${token}")`, 'a line of its stdout does not answer'],
    [
      'answers what it was never asked',
      'console.log(JSON.stringify({ id: 9, output: {} }))',
      'a line of its stdout does not answer',
    ],
    ['answers without a number', 'console.log("{}")', 'a line of its stdout does not answer'],
    [
      'prints a line without end',
      'process.stdout.write("x".repeat(3_000_000))',
      'it printed a line of more than 1000000 bytes and was ended',
    ],
  ])('that %s is named', async (_, answer, words) => {
    expect(await refusalOf(revoke(staying(answer)))).toContain(words);
  });

  it('that gives no answer is not waited for longer than a call may take, and asked on', async () => {
    const hook = staying('print(call.id, {}, call.id === 1 ? 1_500 : 0)', { timeoutMs: 1_000 });
    expect(await refusalOf(revoke(hook))).toContain('it gave no answer within 1000 ms');
    // Its answer comes late, and is passed over.
    await new Promise((resolve) => setTimeout(resolve, 800));
    expect(await revoke(hook)).toEqual({ output: {} });
    expect(linesOf('started')).toHaveLength(1);
  });

  it('that is not there is named', async () => {
    const hook: CommandHook = { command: ['./none'], timeoutMs: 1_000, cwd: path(), stays: true };
    expect(await refusalOf(revoke(hook))).toBe('hooks.revoke: `./none` cannot be started (ENOENT)');
  });

  it('is gone when the run is, also one that ignores the end of its stdin', async () => {
    await revoke(staying('print(call.id, {}); process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)'));
    const [pid] = linesOf('started').map(Number);
    expect(() => process.kill(pid ?? 0, 0)).not.toThrow();
    await close();
    expect(() => process.kill(pid ?? 0, 0)).toThrow('ESRCH');
  });

  it('is let go of after an abort, which is no fault of the hook', async () => {
    const controller = new AbortController();
    const call = revoke(staying(''), { signal: controller.signal });
    setTimeout(() => controller.abort(), 100);
    await expect(call).rejects.toMatchObject({ isInterrupted: true });
  });
});
