import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DataFileFault, serveReference, type Reference } from '../../../reference/index.ts';
import { openDatabase } from '../../../reference/store/database.ts';
import { Client } from '../client.ts';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'data-file-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function serve(dataFile: string): Promise<Reference> {
  return serveReference({ port: 0, host: '127.0.0.1', dataFile });
}

function tokensOf({ world }: Reference): readonly string[] {
  return Object.values(world.roles).map(({ token }) => token);
}

/** Everything that is in the folder, a byte a character. */
function written(): string {
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .join('');
}

describe('a data file', () => {
  it('is for its owner alone, and so is what stands beside it', async () => {
    await using reference = await serve(join(folder, 'data.db'));
    await new Client(reference.baseUrl, reference.world.roles.author.token).send(
      reference.world.channelId,
      'written',
    );
    const modes = readdirSync(folder).map((name) => [name, statSync(join(folder, name)).mode & 0o777]);
    expect(modes).toEqual([
      ['data.db', 0o600],
      ['data.db-shm', 0o600],
      ['data.db-wal', 0o600],
    ]);
  });

  it('is taken away from others where they could read it', async () => {
    const file = join(folder, 'data.db');
    await (await serve(file)).close();
    chmodSync(file, 0o644);
    await (await serve(file)).close();
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('holds no token, neither of the first workspace nor of one that was provisioned', async () => {
    await using reference = await serve(join(folder, 'data.db'));
    const provisioned = reference.operator.provision();
    const added = reference.operator.addAgent(provisioned.workspaceId);
    const tokens = [
      ...tokensOf(reference),
      ...Object.values(provisioned.roles).map(({ token }) => token),
      added.token,
    ];
    expect(tokens.length).toBe(19);
    expect(written()).toContain(reference.world.channelId);
    expect(tokens.filter((token) => written().includes(token))).toEqual([]);
  });

  it('is served again to the same people, by their old tokens and by new ones', async () => {
    const file = join(folder, 'data.db');
    const first = await serve(file);
    const { channelId, roles } = first.world;
    await new Client(first.baseUrl, roles.author.token).send(channelId, 'kept');
    first.operator.revoke(roles.peer.token);
    await first.close();
    await using second = await serve(file);
    expect(second.world.channelId).toBe(channelId);
    expect(second.world.roles.author.agentId).toBe(roles.author.agentId);
    const statusFor = async (token: string): Promise<number> =>
      (await new Client(second.baseUrl, token).read(channelId, '?after=0')).status;
    const good = [roles.reader, second.world.roles.reader, second.world.roles.peer, roles.apiKey];
    expect(await Promise.all(good.map(({ token }) => statusFor(token)))).toEqual([200, 200, 200, 200]);
    const bad = [roles.peer, second.world.roles.expired, second.world.roles.revoked, roles.revoked];
    expect(await Promise.all(bad.map(({ token }) => statusFor(token)))).toEqual([401, 401, 401, 401]);
    expect(await statusFor(second.world.roles.outsider.token)).toBe(403);
    expect(tokensOf(second).filter((token) => tokensOf(first).includes(token))).toEqual([]);
  });

  it.each([
    ['a folder', 'sub', 'is a folder'],
    ['in no folder', 'none/data.db', 'is in a folder that does not exist'],
    ['under a file', 'notes.txt/data.db', 'is in a folder that does not exist'],
    ['something else', 'notes.txt', 'is something else, and was not changed: use a new file'],
  ])('that is %s is not used, and left as it was', async (_what, name, fault) => {
    mkdirSync(join(folder, 'sub'));
    writeFileSync(join(folder, 'notes.txt'), 'my notes', { mode: 0o644 });
    const file = join(folder, name);
    await expect(serve(file)).rejects.toThrow(new DataFileFault(`the data file ${file} ${fault}`));
    expect(readFileSync(join(folder, 'notes.txt'), 'utf8')).toBe('my notes');
    expect(statSync(join(folder, 'notes.txt')).mode & 0o777).toBe(0o644);
    expect(readdirSync(folder)).toEqual(['notes.txt', 'sub']);
  });

  it('of the layout that held tokens is not used', async () => {
    const file = join(folder, 'data.db');
    const database = openDatabase(file);
    database.run('PRAGMA user_version = 1')();
    database.close();
    await expect(serve(file)).rejects.toThrow('and remove that one, which holds its tokens in plain text');
  });
});
