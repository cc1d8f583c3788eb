import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nextChange } from '../../cli/run/changes.ts';
import { ServerPresence } from '../../cli/run/server-presence.ts';
import { targetFileOf, startReference } from '../../reference/index.ts';
import { contractRules } from '../../reference/rules/rules.ts';
import { mutants } from '../../selftest/mutants/index.ts';
import { front, json } from '../hostile/frame/front.ts';
import { conform } from './conform.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'watch-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The text of a process, waited for. */
async function shows(output: { readonly text: string }, words: string): Promise<number> {
  const startedMs = performance.now();
  while (!output.text.includes(words)) {
    if (performance.now() - startedMs > 60_000) throw new Error(`no "${words}" in: ${output.text}`);
    await pause(5);
  }
  return performance.now() - startedMs;
}

describe('conform run --watch', () => {
  it('says what is fixed once a file was saved, then runs the whole again', async () => {
    const broken = mutants.find(({ id }) => id === 'limit-is-one-too-low')?.options().rules;
    const rules = { ...contractRules, ...broken };
    await using reference = await startReference({ rules });
    const [targetFile, source] = [join(folder, 'conform.yaml'), join(folder, 'source.txt')];
    writeFileSync(targetFile, targetFileOf(reference));
    writeFileSync(source, 'broken');
    const output = { text: '' };
    const check = 'send.limit-counts-bytes-*';
    const ended = conform(['--target', targetFile, '--check', check, '--watch', source], {
      onStart: (child) => {
        child.stdout.on('data', (text: Buffer) => (output.text += text.toString()));
        void (async () => {
          await shows(output, 'watching; Ctrl-C ends');
          Object.assign(rules, contractRules);
          writeFileSync(source, 'mended');
          await shows(output, 'fixed          send.limit-counts-bytes-');
          await shows(output, 'since the run before: fixed send.content-bytes; newly broken nothing');
          child.kill('SIGINT');
        })();
      },
    });
    const { code, stdout, stderr } = await ended;
    expect({ code, stderr }).toEqual({ code: 130, stderr: '' });
    expect(stdout).toMatch(/source\.txt has changed\nfixed {10}send\.limit-counts-bytes-/);
    expect(stdout.match(/conforms in what was selected: nothing failed/g)).toHaveLength(1);
  });

  it('gives a server time that listens and is only just starting', async () => {
    await using reference = await startReference();
    let readyMs: number | undefined;
    const starting = await front({
      instead: () => {
        readyMs ??= performance.now() + 3_000;
        return performance.now() < readyMs ? json('503 Service Unavailable', '{}') : undefined;
      },
    })(reference);
    const targetFile = join(folder, 'starting.yaml');
    writeFileSync(targetFile, targetFileOf(reference).replaceAll(reference.baseUrl, starting.baseUrl));
    const output = { text: '' };
    const check = 'mentions.limit-of-101-is-refused';
    const { stdout, stderr } = await conform(['--target', targetFile, '--check', check, '--watch'], {
      onStart: (child) => {
        child.stdout.on('data', (text: Buffer) => (output.text += text.toString()));
        void shows(output, 'watching; Ctrl-C ends').then(() => child.kill('SIGINT'));
      },
    });
    await starting.close();
    expect(stderr).toBe('');
    expect(stdout.match(/: testing /g)).toHaveLength(1);
    expect(stdout).toContain('conforms in what was selected: nothing failed');
    expect(stdout).not.toMatch(/preflight|nothing could be concluded/);
  });

  it('needs a server of yours, and no option that is for one run', async () => {
    const alone = await conform(['--watch']);
    expect(alone).toMatchObject({ code: 2, stdout: '' });
    expect(alone.stderr).toContain('--watch needs a server of yours');
    const out = await conform([
      '--watch',
      '--base-url',
      'http://127.0.0.1:9',
      '--out',
      join(folder, 'o.ndjson'),
    ]);
    expect(out).toMatchObject({ code: 2, stderr: 'conform: --watch runs without end; leave out --out\n' });
  });
});

describe('a change', () => {
  const never = new AbortController().signal;

  it('is a server that was away and is back', async () => {
    const first = createServer().listen(0, '127.0.0.1');
    await once(first, 'listening');
    const { port } = first.address() as AddressInfo;
    const change = nextChange([], new ServerPresence(`http://127.0.0.1:${port}`), never);
    await pause(150);
    first.close();
    await pause(250);
    const second = createServer().listen(port, '127.0.0.1');
    await expect(change).resolves.toBe('the server is back');
    second.close();
  });

  it('of a file waits for the server that it brings down', async () => {
    const file = join(folder, 'main.go');
    writeFileSync(file, '1');
    const first = createServer().listen(0, '127.0.0.1');
    await once(first, 'listening');
    const { port } = first.address() as AddressInfo;
    let isBack = false;
    const change = nextChange([file], new ServerPresence(`http://127.0.0.1:${port}`), never).then((what) => ({
      what,
      isBack,
    }));
    await pause(150);
    writeFileSync(file, '2');
    await pause(120);
    first.close();
    await pause(300);
    isBack = true;
    const second = createServer().listen(port, '127.0.0.1');
    expect((await change).isBack).toBe(true);
    second.close();
  });
});
