import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { clockFrom, sourcesOfSeed, startReference } from '../../reference/index.ts';
import { isUuid } from '../../spec/formats.ts';
import { ownFolder } from '../fixtures/folder.ts';
import { Client } from './client.ts';

const startMs = Date.parse('2026-01-02T03:04:05Z');

/** All that a client sees of a world with a history, and of one more message in it. */
async function seen(seed: number): Promise<unknown> {
  const sources = { ...sourcesOfSeed(seed), now: clockFrom(startMs, true) };
  await using reference = await startReference({ sources });
  const { world, operator, baseUrl } = reference;
  operator.seedMessages(world, 60);
  const author = new Client(baseUrl, world.roles.author.token);
  const sent = await author.send(world.channelId, 'one more');
  const read = await author.get(`/v0/channels/${world.channelId}/messages?after=0`);
  const listed = await author.get('/v0/channels');
  return { world, sent: sent.body, read: read.body, listed: listed.body };
}

describe('the sources of a service', () => {
  it('give the same world, messages and times for the same seed and clock, and others for another seed', async () => {
    const [one, same, other] = await Promise.all([seen(7), seen(7), seen(8)]);
    expect(one).toEqual(same);
    expect(JSON.stringify(one)).toContain('"created_at":"2026-01-02T03:04:05.000Z"');
    const ids = (of: unknown): Set<string> =>
      new Set(JSON.stringify(of).match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g));
    expect(ids(one).size).toBeGreaterThan(70);
    expect([...ids(one)].filter((id) => ids(other).has(id) || !isUuid(id))).toEqual([]);
  });

  it('let a clock go on from its start, or stand there', async () => {
    const [going, standing] = [clockFrom(startMs, false), clockFrom(startMs, true)];
    await sleep(20);
    expect(going()).toBeGreaterThan(startMs + 10);
    expect(going()).toBeLessThan(startMs + 30_000);
    expect(standing()).toBe(startMs);
  });

  it('of a seed are refused for a data file that has data, which would get the same ids again', async () => {
    const dataFile = join(ownFolder('reference-', onTestFinished), 'data.db');
    await (await startReference({ dataFile, sources: sourcesOfSeed(1) })).close();
    await expect(startReference({ dataFile, sources: sourcesOfSeed(1) })).rejects.toThrow('has data already');
    await (await startReference({ dataFile })).close();
  });
});
