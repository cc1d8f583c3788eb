import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { FooterEvent } from '../../harness/results/generated/events.ts';
import { totalOf } from '../../reporters/conclusion.ts';
import { ownFolder } from '../fixtures/folder.ts';
import { eventsIn } from '../fixtures/stream.ts';
import { packageFile } from '../../spec/index.ts';
import { conform } from './conform.ts';

const folder = ownFolder('conform-client-');

function clientOf(name: string): readonly string[] {
  return ['--', process.execPath, packageFile('dist/selftest/clients/client.js'), name];
}

/** A program with this text. */
function program(text: string): readonly string[] {
  const file = join(folder, `${Math.random()}.mjs`);
  writeFileSync(file, text);
  return ['--', process.execPath, file];
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe.concurrent('conform client', () => {
  it('writes the stream of a run, and shows a client that breaks a clause by its own requests', async () => {
    const out = join(folder, 'out.ndjson');
    const args = ['client', '--scenario', 'send.list', '--out', out];
    const { code, stdout } = await conform([...args, ...clientOf('ends-with-nul')]);
    expect(code).toBe(1);
    expect(stdout).toContain('client.send.content-characters  must  invalid-request');
    expect(stdout).toContain('client --scenario send.list -- ');
    const events = eventsIn(out);
    expect(events.map(({ type }) => type)).toEqual(['header', 'check', 'finding', 'footer']);
    expect(events[2]).toMatchObject({
      check: 'send.list',
      exchanges: [{ request: { method: 'POST' } }],
    });
    expect(JSON.stringify(events)).not.toMatch(/Bearer (?!<redacted>)/);
  });

  it('passes one that conforms, writes every format of it, and fails what only good sense asks where it is strict', async () => {
    const page = join(folder, 'page.html');
    const report = ['--report', `html=${page}`];
    const good = await conform(['client', '--scenario', 'send.list', ...report, ...clientOf('usual')]);
    expect(good.code).toBe(0);
    expect(readFileSync(page, 'utf8')).toContain('client.send.content-bytes');
    const twice = ['client', '--scenario', 'send.list', ...clientOf('sends-twice')];
    expect((await conform(twice)).code).toBe(0);
    const strict = await conform(['client', '--strict', ...twice.slice(1)]);
    expect(strict.code).toBe(1);
    expect(strict.stdout).toContain('client --strict --scenario send.list -- ');
  });

  it('decides nothing of a client that cannot do a task, that ends, or that cannot be started, and says why', async () => {
    const args = ['client', '--task', 'read', '--scenario', 'read.m*', '--patience', '1s'];
    const ended = await conform([...args, ...program('console.error("no such task"); process.exit(3)')]);
    expect(ended.code).toBe(3);
    expect(ended.stdout).toContain('it ended with status 3: no such task');
    const broken = join(folder, 'of-a-missing-interpreter');
    writeFileSync(broken, `#!${join(folder, 'nowhere')}\n`, { mode: 0o755 });
    const unstarted = await conform([...args, '--', broken]);
    expect(unstarted.code).toBe(3);
    expect(unstarted.stdout).toContain('cannot be started');
    const idle = await conform([...args, ...program('setInterval(() => {}, 1e6)')]);
    expect(idle.code).toBe(3);
    expect(idle.stdout).toContain('the client made no request');
  });

  it('is refused a client that is not there', async () => {
    const { code, stderr } = await conform(['client', '--', './nowhere']);
    expect(code).toBe(2);
    expect(stderr).toContain('the client cannot be started: `./nowhere` does not exist');
  });

  it('ends on Ctrl-C, and the client with it', async () => {
    const idle = program('console.error(process.pid); setInterval(() => {}, 1e6)');
    const { code, stdout } = await conform(['client', '--scenario', 'read.mentions', ...idle], {
      onStart: (child) => void child.stdout.once('data', () => setTimeout(() => child.kill('SIGINT'), 1_000)),
    });
    expect(code).toBe(130);
    expect(stdout).toContain('interrupted');
  });

  it('counts the same clauses whatever a client comes to, and what it wrote', async () => {
    const totals = async (...words: readonly string[]) => {
      const out = join(folder, `${Math.random()}.ndjson`);
      const args = ['client', '--scenario', 'send.list', '--patience', '1s', '--out', out];
      const ended = await conform([...args, ...words]);
      const { clauses, footprint } = eventsIn(out).at(-1) as FooterEvent;
      return { counted: [totalOf(clauses.must), totalOf(clauses.inferred)], footprint, said: ended.stdout };
    };
    const good = await totals(...clientOf('usual'));
    expect(good.footprint.messages).toBeGreaterThan(1);
    expect(good.footprint.bytesWritten).toBeGreaterThan(good.footprint.messages);
    expect(good.said).toMatch(
      new RegExp(`wrote ${good.footprint.messages} messages with .*, to references that are gone`),
    );
    for (const other of [clientOf('ends-with-nul'), program('process.exit(3)')])
      expect((await totals(...other)).counted).toEqual(good.counted);
  });

  it('takes the baseline that it wrote, also of what any request may break', async () => {
    const file = join(folder, 'known.yaml');
    const args = ['client', '--scenario', 'read.mentions', '--strict'];
    const client = clientOf('limit-of-a-thousand');
    const first = await conform([...args, '--write-baseline', file, ...client]);
    expect(first.code, first.stdout).toBe(1);
    const text = readFileSync(file, 'utf8');
    expect(text).toContain('clause: client.requests.limit-in-range');
    writeFileSync(file, text.replaceAll('reason: ""', 'reason: soon'));
    const { code, stdout, stderr } = await conform([...args, '--baseline', file, ...client]);
    expect(stderr).toBe('');
    expect(code, stdout).toBeLessThan(2);
    expect(stdout).toMatch(/known/);
  });

  it.each([
    ['a second Ctrl-C', 250],
    ['a client that does not end when it is asked to', undefined],
  ])('leaves no process and no folder after %s', async (_what, secondMs) => {
    const own = mkdtempSync(join(folder, 'ended-'));
    const pids = (): number[] =>
      readdirSync(own).flatMap((name) => (name.startsWith('pid-') ? Number(name.slice(4)) : []));
    const stubborn = program(`
      import { writeFileSync } from 'node:fs';
      process.on('SIGTERM', () => {}).on('SIGINT', () => {});
      writeFileSync(process.env.TMPDIR + '/pid-' + process.pid, '');
      setInterval(() => {}, 1e6);`);
    const { code } = await conform(['client', '--scenario', 'read.m*', ...stubborn], {
      env: { TMPDIR: own },
      onStart: (child) => {
        const look = setInterval(() => {
          if (pids().length === 0) return;
          clearInterval(look);
          child.kill('SIGINT');
          if (secondMs !== undefined) setTimeout(() => child.kill('SIGINT'), secondMs);
        }, 50);
      },
    });
    expect(code).toBe(130);
    expect(pids().length).toBeGreaterThan(0);
    // Whoever was killed is there until it is waited for.
    for (let looks = 0; looks < 40 && pids().some(isRunning); looks += 1) await sleep(50);
    expect(pids().filter(isRunning)).toEqual([]);
    expect(readdirSync(own).filter((name) => name.startsWith('conform-'))).toEqual([]);
  });

  it('refuses to go without a client, and names that there are not', async () => {
    expect((await conform(['client'])).stderr).toContain('name the client behind `--`');
    const { code, stderr } = await conform(['client', '--scenario', 'read.mention', ...clientOf('usual')]);
    expect(code).toBe(2);
    expect(stderr).toContain('read.mentions');
  });

  it('lists its scenarios, and the clauses of clients', async () => {
    expect((await conform(['client', '--list', '--task', 'send'])).stdout).toMatch(
      /^send\.list {2}each message/,
    );
    const { stdout } = await conform(['clauses', '--clients']);
    expect(stdout).toContain('client.cursor.kept  [must]');
    expect(stdout).toContain('0 without a check or a reason');
    expect((await conform(['show', 'client.cursor.kept'])).stdout).toContain('decided by read.restarted');
  });
});
