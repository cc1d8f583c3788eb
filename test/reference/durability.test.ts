import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { World } from '../../reference/index.ts';
import { packageFile } from '../../spec/package-file.ts';
import { ownFolder } from '../fixtures/folder.ts';
import { Client } from './client.ts';

interface Served {
  readonly process: ChildProcess;
  readonly baseUrl: string;
  readonly world: World;
}

const compiled = packageFile('.conform/reference-process/reference/index.js');
const entry = `
  const { serveReference } = await import(${JSON.stringify(pathToFileURL(compiled).href)});
  const reference = await serveReference({ port: 0, host: '127.0.0.1', dataFile: process.argv[1] });
  process.send({ baseUrl: reference.baseUrl, world: reference.world });
`;

const folder = ownFolder('reference-');
const processes: ChildProcess[] = [];

beforeAll(() => {
  const compiler = packageFile('node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [compiler, '-p', packageFile('test/reference/tsconfig.process.json')]);
});

afterAll(() => {
  for (const child of processes) child.kill('SIGKILL');
});

async function serve(dataFile: string): Promise<Served> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', entry, dataFile], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  processes.push(child);
  const [message] = (await once(child, 'message')) as [Omit<Served, 'process'>];
  return { process: child, ...message };
}

it('what was acknowledged is there after SIGKILL, once, in order, under the same key and credentials', async () => {
  const dataFile = join(folder, 'data.db');
  const first = await serve(dataFile);
  const { channelId, roles } = first.world;
  const acknowledged: { key: string; content: string; sequence: number; id: string }[] = [];
  const author = new Client(first.baseUrl, roles.author.token);
  const senders = Array.from({ length: 16 }, async (_, sender) => {
    for (let index = 0; ; index += 1) {
      const content = `${sender}:${index}`;
      const { body } = await author.send(channelId, content, content);
      acknowledged.push({ key: content, content, sequence: body.message.sequence, id: body.message.id });
    }
  });
  const sending = Promise.allSettled(senders);
  // Amid the sending, however slow the machine.
  while (acknowledged.length < 200) await sleep(20);
  first.process.kill('SIGKILL');
  await once(first.process, 'exit');
  await sending;

  const second = await serve(dataFile);
  expect(second.world.channelId).toBe(channelId);
  const reader = new Client(second.baseUrl, roles.reader.token);
  const kept = new Map<string, number>();
  for (let after: number | bigint = 0, hasMore = true; hasMore;) {
    const { body } = await reader.read(channelId, `?after=${after}&limit=100`);
    for (const { content, sequence } of body.messages) {
      expect(kept.has(content)).toBe(false);
      kept.set(content, sequence);
    }
    ({ next_after: after, has_more: hasMore } = body.page);
  }
  const lost = acknowledged.filter(({ content, sequence }) => kept.get(content) !== sequence);
  expect(lost).toEqual([]);

  const revived = new Client(second.baseUrl, roles.author.token);
  const [one] = acknowledged;
  const replayed = await revived.send(channelId, one?.content ?? '', one?.key);
  expect(replayed.body.message.id).toBe(one?.id);
  const fresh = await revived.send(channelId, 'after the kill');
  expect(fresh.body.message.sequence).toBeGreaterThan(Math.max(...kept.values()));
});
