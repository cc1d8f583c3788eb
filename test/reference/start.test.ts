import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { type AnsweredRequest, serveReference, startReference, targetFileOf } from '../../reference/index.ts';
import { openDatabase } from '../../reference/store/database.ts';
import { ownFolder } from '../fixtures/folder.ts';
import { Client } from './client.ts';

describe('a started reference', () => {
  it('describes itself in a target file', async () => {
    await using reference = await startReference();
    const { world } = reference;
    expect(parse(targetFileOf(reference))).toEqual({
      base_url: reference.baseUrl,
      workspace: world.workspaceId,
      channel: world.channelId,
      second_channel: world.secondChannelId,
      bindings: { health: '/health', capabilities: '/capabilities' },
      settle_ms: 50,
      roles: {
        author: world.roles.author.token,
        reader: world.roles.reader.token,
        peer: world.roles.peer.token,
        stranger: world.roles.stranger.token,
        outsider: world.roles.outsider.token,
        expired: world.roles.expired.token,
        revoked: world.roles.revoked.token,
        api_key: world.roles.apiKey.token,
        machine: world.roles.machine.token,
      },
    });
  });

  it('is a world of its own at every start and at every provisioning', async () => {
    await using one = await startReference();
    await using two = await startReference();
    const tokens = [one.world, two.world, one.operator.provision()].map(({ roles }) => roles.author.token);
    expect(new Set(tokens).size).toBe(3);
  });

  it('finishes what is under way for a client that has gone before it closes', async () => {
    const client = new AbortController();
    const finished: string[] = [];
    const reference = await startReference({
      answer: async (_answer, { path }) => {
        client.abort();
        await sleep(100);
        finished.push(path);
        return undefined;
      },
    });
    await expect(fetch(`${reference.baseUrl}/health`, { signal: client.signal })).rejects.toThrow('aborted');
    await reference.close();
    expect(finished).toEqual(['/health']);
  });

  it('lets a hook replace any answer, and tells it whom the answer is for', async () => {
    const seen: AnsweredRequest[] = [];
    await using reference = await startReference({
      answer: (answer, request) => {
        seen.push(request);
        if (request.route === 'mentions')
          return { ...answer, status: 299, headers: { 'x-hook': 'yes' }, body: { a: 1n } };
        if (request.path === '/health') return { ...answer, ending: 'reset' };
        return undefined;
      },
    });
    const { agentId, token } = reference.world.roles.reader;
    const reader = new Client(reference.baseUrl, token);
    const got = await reader.get('/v0/mentions?limit=3');
    expect([got.status, got.headers.get('x-hook'), got.body]).toEqual([299, 'yes', { a: 1 }]);
    expect(seen[0]).toMatchObject({ route: 'mentions', query: { limit: '3' }, actor: { agentId } });
    expect((await reader.get('/nowhere')).status).toBe(404);
    expect(seen[1]).toMatchObject({ route: null, path: '/nowhere', actor: null });
    await expect(reader.get('/health')).rejects.toThrow('fetch failed');
  });

  it('answers its long polls before it closes', async () => {
    const reference = await startReference();
    const reader = new Client(reference.baseUrl, reference.world.roles.reader.token);
    await reader.mentions();
    const poll = reader.read(reference.world.channelId, '?after=0&wait=30');
    await reader.mentions();
    const started = performance.now();
    await reference.close();
    expect((await poll).body.messages).toEqual([]);
    expect(performance.now() - started).toBeLessThan(5000);
  });

  it('keeps what it knows over a restart in memory, at the same address', async () => {
    await using reference = await startReference();
    const { channelId, roles } = reference.world;
    const author = new Client(reference.baseUrl, roles.author.token);
    await author.send(channelId, 'before');
    await reference.operator.restart();
    await author.send(channelId, 'after');
    const { body } = await author.read(channelId, '?after=0');
    expect(body.messages.map(({ content, sequence }) => [content, sequence])).toEqual([
      ['before', 1],
      ['after', 2],
    ]);
  });

  it('serves a data file again with the same messages', async () => {
    const folder = ownFolder('reference-', onTestFinished);
    const options = { port: 0, host: '127.0.0.1', dataFile: join(folder, 'data.db') };
    const first = await serveReference(options);
    const { channelId, roles } = first.world;
    await new Client(first.baseUrl, roles.author.token).send(channelId, 'kept');
    await first.operator.restart();
    await first.close();
    await using second = await serveReference(options);
    const { body } = await new Client(second.baseUrl, roles.reader.token).read(channelId, '?after=0');
    expect(body.messages.map(({ content }) => content)).toEqual(['kept']);
  });
});

it('gives back what retention lets go, of messages and of keys', async () => {
  const dataFile = join(ownFolder('retaining-', onTestFinished), 'data.db');
  const settings = { keepPerChannel: 5, keepMentions: 5, keepKeys: 7 };
  const reference = await startReference({ dataFile, settings });
  const { channelId, roles } = reference.world;
  const author = new Client(reference.baseUrl, roles.author.token);
  const lane = async (): Promise<void> => {
    for (let sent = 0; sent < 100; sent += 1) await author.send(channelId, 'as good as any');
  };
  await Promise.all(Array.from({ length: 10 }, lane));
  await reference.close();

  const database = openDatabase(dataFile);
  const countOf = (table: string): unknown => database.one(`SELECT count(*) AS rows FROM ${table}`)();
  expect(countOf('messages')).toEqual({ rows: 5 });
  // The send that swept had not been recorded yet.
  expect(countOf('idempotency_keys')).toEqual({ rows: 8 });
  database.close();
});
