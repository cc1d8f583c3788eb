import { beforeEach, describe, expect, it } from 'vitest';
import type { Client } from './client.ts';
import { useReference } from './use-reference.ts';

const used = useReference();
let author: Client;
let reader: Client;

beforeEach(() => {
  author = used.as('author');
  reader = used.as('reader');
});

async function contentsFor(client: Client, query = ''): Promise<string[]> {
  const { body } = await client.mentions(query);
  return body.mentions.map(({ message }) => message.content);
}

describe('pages of mentions', () => {
  async function fill(count: number, channelId = used.world.channelId): Promise<void> {
    for (let index = 0; index < count; index += 1) {
      await author.send(channelId, { content: `m${index}`, mentions: [used.target('agent', 'reader')] });
      await author.send(channelId, 'between');
    }
  }

  it('number mentions workspace-wide, apart from the sequence of the message', async () => {
    await fill(2);
    await fill(1, used.world.secondChannelId);
    const { body } = await reader.mentions();
    expect(body.mentions.map(({ sequence }) => sequence)).toEqual([1000, 1002, 1004]);
    expect(body.mentions.map(({ message }) => message.sequence)).toEqual([1, 3, 1]);
    expect(body.mentions.map(({ id, message }) => id === message.id)).toEqual([true, true, true]);
    expect(body.page.high_watermark).toBe(1005);
  });

  it('hold the newest matches in ascending order when after is omitted', async () => {
    await fill(5);
    expect(await contentsFor(reader, '?limit=2')).toEqual(['m3', 'm4']);
    const { body } = await reader.mentions('?limit=2');
    expect(body.page).toEqual({ next_after: 1008, has_more: false, high_watermark: 1009 });
  });

  it('are empty beyond the watermark and hand the cursor back', async () => {
    await fill(1);
    for (const after of ['1001', '9007199254740993', '9223372036854775807']) {
      const { status, body } = await reader.mentions(`?after=${after}`);
      expect(status).toBe(200);
      expect(body.mentions).toEqual([]);
      expect(String(body.page.next_after)).toBe(after);
    }
  });

  it('are cut at the history byte cap and continue from next_after', async () => {
    used.operator.setLimit('historyBytes', 10);
    try {
      await fill(6);
      const newest = await reader.mentions('?limit=6');
      expect(newest.body.mentions.map(({ message }) => message.content)).toEqual([
        'm0',
        'm1',
        'm2',
        'm3',
        'm4',
      ]);
      expect(newest.body.page.has_more).toBe(true);
      const rest = await reader.mentions(`?after=${newest.body.page.next_after}`);
      expect(rest.body.mentions.map(({ message }) => message.content)).toEqual(['m5']);
      expect(rest.body.page.has_more).toBe(false);
    } finally {
      used.operator.setLimit('historyBytes', 1024 * 1024);
    }
  });
});

describe('a request for mentions', () => {
  it.each([
    'limit=0',
    'limit=101',
    'limit=-1',
    'limit=1.5',
    'limit=ten',
    'limit=',
    'after=-1',
    'after=01',
    'after=%2B1',
    'after=1.0',
    'after=',
    'after=9223372036854775808',
    'after=1&after=1',
    'after=%ff',
    'agent_id=00000000-0000-4000-8000-000000000000',
    'workspace_id=00000000-0000-4000-8000-000000000000',
    'recipient=x',
  ])('is refused with 400 for ?%s', async (query) => {
    const { status, body } = await reader.get(`/v0/mentions?${query}`);
    expect(status).toBe(400);
    expect(body.error.code).toBe('invalid');
  });
});
