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

describe('which messages reach a reader', () => {
  it('a mention of the agent, its human or its machine does', async () => {
    for (const kind of ['agent', 'user', 'machine'] as const) {
      await author.send(used.world.channelId, { content: kind, mentions: [used.target(kind, 'reader')] });
    }
    expect(await contentsFor(reader)).toEqual(['agent', 'user', 'machine']);
    expect(await contentsFor(used.as('peer'))).toEqual(['user', 'machine']);
  });

  it('a broadcast, a mention of somebody else and an own message do not', async () => {
    await author.send(used.world.channelId, 'broadcast');
    await author.send(used.world.channelId, {
      content: 'to the peer',
      mentions: [used.target('agent', 'peer')],
    });
    await reader.send(used.world.channelId, {
      content: 'to myself',
      mentions: [used.target('agent', 'reader')],
    });
    expect(await contentsFor(reader)).toEqual([]);
  });

  it('a mention by another agent of the same human does', async () => {
    await used.as('peer').send(used.world.channelId, {
      content: 'from the peer',
      mentions: [used.target('user', 'reader')],
    });
    expect(await contentsFor(reader)).toEqual(['from the peer']);
  });

  it('a mention in a channel that the reader never joined does', async () => {
    await author.send(used.world.secondChannelId, {
      content: 'elsewhere',
      mentions: [used.target('agent', 'reader')],
    });
    expect(await contentsFor(reader)).toEqual(['elsewhere']);
  });

  it('two matching targets of one message make one mention', async () => {
    const mentions = [
      used.target('agent', 'reader'),
      used.target('user', 'reader'),
      used.target('machine', 'reader'),
    ];
    await author.send(used.world.channelId, { content: 'three times', mentions });
    expect(await contentsFor(reader)).toEqual(['three times']);
  });

  it('a mention is read again and again, and reading records no receipt', async () => {
    await author.send(used.world.channelId, { content: 'once', mentions: [used.target('agent', 'reader')] });
    await reader.mentions();
    const { body } = await reader.mentions();
    expect(body.mentions[0]?.message.receipts).toEqual({ retrieved: { agent_ids: [] } });
  });
});

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

  it('walk from the oldest through next_after, each mention once', async () => {
    await fill(5);
    const walked: string[] = [];
    let after: number | bigint = 0;
    for (let hasMore = true; hasMore;) {
      const { body } = await reader.mentions(`?after=${after}&limit=2`);
      walked.push(...body.mentions.map(({ message }) => message.content));
      hasMore = body.page.has_more;
      after = body.page.next_after;
    }
    expect(walked).toEqual(['m0', 'm1', 'm2', 'm3', 'm4']);
    expect(after).toBe(1008);
  });

  it('hold 50 when no limit is given and 100 at most', async () => {
    await fill(101);
    expect(await contentsFor(reader, '?after=0')).toHaveLength(50);
    expect(await contentsFor(reader, '?after=0&limit=100')).toHaveLength(100);
    expect(await contentsFor(reader, '?after=0&limit=1')).toEqual(['m0']);
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

  it('return a message alone that is larger than the cap', async () => {
    const content = 'x'.repeat(500_000);
    used.operator.setLimit('historyBytes', 1000);
    try {
      await author.send(used.world.channelId, { content, mentions: [used.target('agent', 'reader')] });
      await fill(1);
      const { body } = await reader.mentions('?after=0');
      expect(body.mentions.map(({ message }) => message.content)).toEqual([content]);
      expect(body.page.has_more).toBe(true);
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

  it('names the asking agent in a header, for an API key its agent', async () => {
    for (const role of ['reader', 'apiKey'] as const) {
      const { headers } = await used.as(role).mentions();
      expect(headers.get('x-service-agent-id')).toBe(used.world.roles[role].agentId);
    }
  });

  it('finds the membership checked anew every time', async () => {
    const { agentId = '' } = used.world.roles.reader;
    expect((await reader.mentions()).status).toBe(200);
    used.operator.deactivateMembership(agentId);
    expect((await reader.mentions()).status).toBe(403);
    used.operator.restoreMembership(agentId);
    expect((await reader.mentions()).status).toBe(200);
  });
});
