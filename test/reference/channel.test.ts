import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Client } from './client.ts';
import { useReference } from './use-reference.ts';

const used = useReference();

async function fill(count: number): Promise<Client> {
  const author = used.as('author');
  for (let index = 1; index <= count; index += 1) await author.send(used.world.channelId, `m${index}`);
  return author;
}

describe('a read of a channel', () => {
  it('starts an empty channel at 0', async () => {
    const { body } = await used.as('reader').read(used.world.secondChannelId);
    expect(body).toEqual({ messages: [], page: { next_after: 0, has_more: false, high_watermark: 0 } });
  });

  it.each(['limit=0', 'limit=101', 'after=-1', 'wait=31', 'wait=-1', 'wait=1.5', 'before=1'])(
    'is refused with 400 for ?%s',
    async (query) => {
      expect((await used.as('reader').read(used.world.channelId, `?${query}`)).status).toBe(400);
    },
  );

  it('forgets what retention lets go, per channel and per author', async () => {
    const author = await fill(3);
    used.operator.setLimit('keepPerChannel', 2);
    await used.as('reader').send(used.world.channelId, 'm4');
    used.operator.setLimit('keepPerChannel', null);
    const contents = async (): Promise<string[]> =>
      (await author.read(used.world.channelId, '?after=0')).body.messages.map(({ content }) => content);
    expect(await contents()).toEqual(['m3', 'm4']);

    used.operator.setLimit('keepPerAuthor', 1);
    await author.send(used.world.channelId, 'm5');
    used.operator.setLimit('keepPerAuthor', null);
    expect(await contents()).toEqual(['m4', 'm5']);
  });
});

describe('a long poll', () => {
  it('returns at once when there is something', async () => {
    const author = await fill(1);
    const started = performance.now();
    const { body } = await author.read(used.world.channelId, '?after=0&wait=30');
    expect(body.messages).toHaveLength(1);
    expect(performance.now() - started).toBeLessThan(5000);
  });

  it('wakes for a new message', async () => {
    const { channelId } = used.world;
    const polls = Array.from({ length: 50 }, () => used.as('reader').read(channelId, '?after=0&wait=30'));
    await sleep(50);
    await used.as('author').send(channelId, 'wake up');
    for (const { body } of await Promise.all(polls)) {
      expect(body.messages.map(({ content }) => content)).toEqual(['wake up']);
    }
  });

  it('sleeps on when another channel gets a message, and ends empty', async () => {
    const { channelId, secondChannelId } = used.world;
    const started = performance.now();
    const poll = used.as('reader').read(channelId, '?after=0&wait=1');
    await sleep(50);
    await used.as('author').send(secondChannelId, 'elsewhere');
    const { body } = await poll;
    expect(body.messages).toEqual([]);
    expect(performance.now() - started).toBeGreaterThan(950);
  });

  it('frees its slot when the client goes away', async () => {
    const { channelId } = used.world;
    used.operator.setLimit('longPollSlots', 1);
    try {
      const leaving = new AbortController();
      const poll = used
        .as('reader')
        .request('GET', `/v0/channels/${channelId}/messages?after=0&wait=30`, { signal: leaving.signal });
      await sleep(50);
      const refused = await used.as('reader').read(channelId, '?after=0&wait=1');
      expect(refused.status).toBe(429);
      expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
      leaving.abort();
      await expect(poll).rejects.toThrow('aborted');
      const read = async () => (await used.as('reader').read(channelId, '?after=0&wait=1')).status;
      await expect.poll(read, { timeout: 10_000 }).toBe(200);
    } finally {
      used.operator.setLimit('longPollSlots', null);
    }
  });
});

describe('receipts', () => {
  interface ReceiptsBody {
    receipts: { message_id: string; agent_id: string; kind: string; recorded_at: string }[];
    page: unknown;
  }

  const path = (query = ''): string => `/v0/channels/${used.world.channelId}/receipts${query}`;

  it('are what clients report, the author left out of the preview', async () => {
    const author = await fill(1);
    const id = (await author.read(used.world.channelId)).body.messages[0]?.id ?? '';
    for (const role of ['reader', 'author', 'peer', 'reader'] as const) {
      const { status } = await used.as(role).request('POST', path(), { body: { message_ids: [id] } });
      expect(status).toBe(204);
    }
    const { roles } = used.world;
    const { body } = await author.read(used.world.channelId);
    expect(new Set(body.messages[0]?.receipts?.retrieved.agent_ids)).toEqual(
      new Set([roles.reader.agentId, roles.peer.agentId]),
    );
    const listed = await author.get<ReceiptsBody>(path(`?message_id=${id}`));
    expect(listed.body.receipts.map((receipt) => receipt.agent_id)).toEqual([
      roles.reader.agentId,
      roles.author.agentId,
      roles.peer.agentId,
    ]);
    expect(listed.body.receipts[0]).toMatchObject({ message_id: id, kind: 'retrieved' });
  });

  it('cannot be reported for a message that is not in the channel', async () => {
    const elsewhere = await used.as('author').send(used.world.secondChannelId, 'elsewhere');
    for (const message_ids of [[crypto.randomUUID()], [elsewhere.body.message.id]]) {
      expect((await used.as('reader').request('POST', path(), { body: { message_ids } })).status).toBe(404);
    }
    for (const body of [{}, { message_ids: [] }, { message_ids: 'x' }, { message_ids: [1] }]) {
      expect((await used.as('reader').request('POST', path(), { body })).status).toBe(400);
    }
  });
});
