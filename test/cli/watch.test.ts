import { once } from 'node:events';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Changes, OwnWrites } from '../../cli/run/changes.ts';
import { FileChanges } from '../../cli/run/file-changes.ts';
import { ServerPresence } from '../../harness/watch/server-presence.ts';
import { startReference, targetFileOf } from '../../reference/index.ts';
import { contractRules } from '../../reference/rules/rules.ts';
import { ownFolder } from '../fixtures/folder.ts';
import { front, json } from '../fixtures/front.ts';
import { conform, type Ended } from './conform.ts';

const folder = ownFolder('watch-');

/** Waits until a process has said something. */
type Shows = (words: string) => Promise<void>;

/** Watches while something is done to the server or its files, then presses Ctrl-C; `shows` forgets what it has waited for. */
async function watched(
  args: readonly string[],
  act: (shows: Shows) => Promise<void>,
): Promise<Ended & { pressedMs: number }> {
  let [text, pressedMs] = ['', 0];
  const shows: Shows = async (words) => {
    const startedMs = performance.now();
    while (!text.includes(words)) {
      if (performance.now() - startedMs > 60_000) throw new Error(`no "${words}" in: ${text}`);
      await pause(5);
    }
    text = text.slice(text.indexOf(words) + words.length);
  };
  const ended = await conform(args.includes('--watch') ? args : [...args, '--watch'], {
    onStart: (child) => {
      child.stdout.on('data', (said: Buffer) => (text += said.toString()));
      void act(shows).then(() => {
        pressedMs = performance.now();
        child.kill('SIGINT');
      });
    },
  });
  return { ...ended, pressedMs };
}

const check = 'mentions.limit-of-101-is-refused';
const ready = 'watching; Ctrl-C ends';

/** A target file of its own for a server. */
function targetFor(name: string, text: string): string {
  const file = join(folder, `${name}.yaml`);
  writeFileSync(file, text);
  return file;
}

// Each mostly waits, for a process of its own.
describe.concurrent('conform run --watch', () => {
  it('says what is fixed once a file was saved, then runs the whole again', async () => {
    let maxBytes = 499_999;
    await using reference = await startReference({ rules: { maxContentBytes: () => maxBytes } });
    const source = join(folder, 'source.txt');
    writeFileSync(source, 'broken');
    const args = [
      '--target',
      targetFor('broken', targetFileOf(reference)),
      '--check',
      'send.limit-counts-bytes-*',
    ];
    const { code, stdout, stderr } = await watched([...args, '--watch', source], async (shows) => {
      await shows(ready);
      maxBytes = contractRules.maxContentBytes();
      writeFileSync(source, 'mended');
      await shows('fixed          send.limit-counts-bytes-');
      await shows('since the run before: fixed send.content-bytes; newly failed nothing');
    });
    expect({ code, stderr }).toEqual({ code: 130, stderr: '' });
    expect(stdout).toMatch(/source\.txt has changed\nfixed {10}send\.limit-counts-bytes-/);
    expect(stdout.match(/conforms in what was selected: nothing failed/g)).toHaveLength(1);
  });

  it('gives a server time that listens and is only just starting', async () => {
    await using reference = await startReference();
    let readyMs: number | undefined;
    await using starting = await front({
      instead: () => {
        readyMs ??= performance.now() + 3_000;
        return performance.now() < readyMs ? json('503 Service Unavailable', '{}') : undefined;
      },
    })(reference);
    const target = targetFileOf(reference).replaceAll(reference.baseUrl, starting.baseUrl);
    const args = ['--target', targetFor('starting', target), '--check', check];
    const { stdout, stderr } = await watched(args, (shows) => shows(ready));
    expect(stderr).toBe('');
    expect(stdout.match(/: testing /g)).toHaveLength(1);
    expect(stdout).toContain('conforms in what was selected: nothing failed');
    expect(stdout).not.toMatch(/preflight|nothing could be concluded/);
  });

  it('says what it waits for, and goes on when the target file names another server, or is right again', async () => {
    await using reference = await startReference();
    const right = targetFileOf(reference);
    const file = targetFor('moved', right.replace(reference.baseUrl, 'http://127.0.0.1:9'));
    const { code, stdout, stderr } = await watched(['--target', file, '--check', check], async (shows) => {
      await shows(`waiting for a server at http://127.0.0.1:9, or a change of ${file}\n`);
      writeFileSync(file, right);
      await shows(ready);
      writeFileSync(file, right.replace('channel:', 'chanel:'));
      await shows('waiting for a change of it');
      rmSync(file);
      await shows('the target file does not exist');
      writeFileSync(file, right);
      await shows(ready);
    });
    expect({ code, stderr }).toEqual({ code: 130, stderr: '' });
    expect(stdout.match(/conforms in what was selected: nothing failed/g)).toHaveLength(2);
  });

  it.each([
    ['before there is a server', 'http://127.0.0.1:9', 'waiting for a server'],
    ['in the middle of a run', undefined, ': testing '],
  ])('ends at once with Ctrl-C %s', async (when, baseUrl, words) => {
    await using reference = await startReference();
    const text = targetFileOf(reference).replace(reference.baseUrl, baseUrl ?? reference.baseUrl);
    const args = ['--target', targetFor(when.replaceAll(' ', '-'), text)];
    const { code, pressedMs } = await watched(args, (shows) => shows(words));
    expect(code).toBe(130);
    expect(performance.now() - pressedMs).toBeLessThan(10_000);
  });
});

/** Changes below some paths, while a run is or is not at work. */
function changesOf(
  paths: readonly string[],
  atWork = { isRunning: false, isRestarting: false },
): { changes: Changes; atWork: typeof atWork; said: string[] } {
  const said: string[] = [];
  const changes = new Changes({
    files: new FileChanges(paths),
    atWork: () => atWork,
    say: (line) => said.push(line),
    signal: new AbortController().signal,
  });
  return { changes, atWork, said };
}

/** Something that listens, can go away and come back at its port. */
async function listener(port = 0): Promise<{ port: number; url: string; close: () => void }> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  const { port: own } = server.address() as AddressInfo;
  return { port: own, url: `http://127.0.0.1:${own}`, close: () => void server.close() };
}

describe('a change', () => {
  it('is a server that goes away, until it is back', async () => {
    const first = await listener();
    const { changes } = changesOf([]);
    const server = new ServerPresence(first.url);
    const change = changes.next(server);
    await pause(150);
    first.close();
    await expect(change).resolves.toBe('gone');
    const isUp = changes.untilUp(server);
    await pause(250);
    const second = await listener(first.port);
    await expect(isUp).resolves.toBe(true);
    second.close();
  });

  it('is none behind a proxy, where a server that nobody reaches from here is as good as up', async () => {
    const first = await listener();
    const proxied = new ServerPresence(first.url, { isProxied: true });
    first.close();
    expect(await proxied.isUp()).toBe(true);
    expect(await new ServerPresence(first.url).isUp()).toBe(false);
    // One that was reached without a proxy is seen to go away.
    const second = await listener(first.port);
    expect(await proxied.isUp()).toBe(true);
    second.close();
    expect(await proxied.isUp()).toBe(false);
  });

  it('is none when the checks of the run restart the server', async () => {
    const first = await listener();
    const { changes, atWork } = changesOf([], { isRunning: true, isRestarting: true });
    let came: unknown;
    const change = changes.next(new ServerPresence(first.url)).then((what) => (came = what));
    await pause(150);
    first.close();
    await pause(300);
    const second = await listener(first.port);
    await pause(200);
    atWork.isRestarting = false;
    await pause(300);
    expect(came).toBeUndefined();
    second.close();
    expect(await change).toBe('gone');
  });

  it('is every file of a save, also one that replaces a file, and what is saved while the server is away', async () => {
    const saved = mkdtempSync(join(folder, 'saved-'));
    const [one, other] = [join(saved, 'one.go'), join(saved, 'other.go')];
    writeFileSync(one, '1');
    const first = await listener();
    const { changes } = changesOf([saved]);
    const server = new ServerPresence(first.url);
    const change = changes.next(server);
    writeFileSync(`${one}.tmp`, '2');
    renameSync(`${one}.tmp`, one);
    writeFileSync(other, '1');
    await expect(change).resolves.toEqual({ files: [one, other] });
    first.close();
    const isUp = changes.untilUp(server);
    await pause(150);
    writeFileSync(other, '2');
    await expect(isUp).resolves.toBe(false);
  });

  it('waits for a server that goes down for it as long as that took before', async () => {
    const file = join(folder, 'main.go');
    writeFileSync(file, '1');
    const first = await listener();
    const { changes, said } = changesOf([file]);
    const server = new ServerPresence(first.url);
    const saved = changes.next(server);
    writeFileSync(file, '2');
    await saved;
    await changes.reacted(server);
    const gone = changes.next(server);
    await pause(500);
    first.close();
    await expect(gone).resolves.toBe('gone');
    const second = await listener(first.port);
    await changes.untilUp(server);
    const again = changes.next(server);
    writeFileSync(file, '3');
    await again;
    setTimeout(second.close, 600);
    await changes.reacted(server);
    expect(await server.isUp()).toBe(false);
    expect(said).toEqual(['waiting for the server to restart']);
  });
});

describe('what a run brings about itself', () => {
  const running = { isRunning: true, isRestarting: false };
  const restarting = { isRunning: true, isRestarting: true };
  const idle = { isRunning: false, isRestarting: false };
  const own = (): { writes: OwnWrites; found: string[] } => {
    const found: string[] = [];
    return { writes: new OwnWrites((file) => found.push(file)), found };
  };

  it('is a file that changes again and again while checks run', () => {
    const { writes, found } = own();
    const saves = [1, 2, 3, 4, 5].map(() => writes.saved(['data', 'main'].slice(0, 1), running).length);
    expect(saves).toEqual([1, 1, 1, 0, 0]);
    expect(found).toEqual(['data']);
    expect(writes.saved(['main'], running)).toEqual(['main']);
    expect(writes.saved(['data'], idle)).toEqual([]);
  });

  it('is no file that is saved between verdicts, or between restarts of the server', () => {
    const { writes, found } = own();
    for (let round = 0; round < 20; round += 1) {
      expect(writes.saved(['main'], running)).toEqual(['main']);
      expect(writes.saved(['main'], running)).toEqual(['main']);
      writes.reset();
    }
    expect(found).toEqual([]);
  });

  it('is a file that changes whenever the run restarts the server, and only then', () => {
    const { writes } = own();
    expect(writes.saved(['pid'], restarting)).toEqual(['pid']);
    expect(writes.saved(['pid', 'main'], restarting)).toEqual(['main']);
    expect(writes.saved(['pid'], idle)).toEqual(['pid']);
  });

  it('is nothing of tools and editors', async () => {
    const under = mkdtempSync(join(folder, 'tools-'));
    const changes = new FileChanges([under]);
    mkdirSync(join(under, '.git'));
    for (const name of [
      '.git/index',
      'server.log',
      'a.db-wal',
      'main.go~',
      'server.pid',
      'conform.yaml.part',
    ])
      writeFileSync(join(under, name), 'x');
    writeFileSync(join(under, 'main.go'), 'x');
    // Looking again takes its time.
    await pause(200);
    expect(changes.take()).toEqual([join(under, 'main.go')]);
  });
});
