import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { contractRules, startReference, type Rules, type World } from '../../../reference/index.ts';
import type { Settings } from '../../../reference/index.ts';
import { Client } from '../client.ts';
import { targetOf } from '../use-reference.ts';

interface Stage {
  readonly world: World;
  readonly author: Client;
  readonly reader: Client;
  readonly client: (token: string) => Client;
  readonly operator: Awaited<ReturnType<typeof startReference>>['operator'];
}

/** Plays one scene against a service with some rules replaced. */
async function withRules<Result>(
  overlay: Partial<Rules>,
  scene: (stage: Stage) => Promise<Result>,
  settings: Partial<Settings> = {},
): Promise<Result> {
  await using reference = await startReference({ rules: overlay, settings });
  const client = (token: string): Client => new Client(reference.baseUrl, token);
  return await scene({
    world: reference.world,
    author: client(reference.world.roles.author.token),
    reader: client(reference.world.roles.reader.token),
    client,
    operator: reference.operator,
  });
}

/** A scene next to one overlay that changes what it shows, and how. Rules that a mutant changes need none: it would survive. */
interface Family {
  readonly family: string;
  readonly overlay: Partial<Rules>;
  readonly scene: (stage: Stage) => Promise<unknown>;
  readonly byContract: unknown;
  readonly overlaid: unknown;
}

const contents = async (reader: Client, channelId: string, query = '?after=0'): Promise<string[]> =>
  (await reader.read(channelId, query)).body.messages.map(({ content }) => content);

const mentioned = async (reader: Client, query = '?after=0'): Promise<string[]> =>
  (await reader.mentions(query)).body.mentions.map(({ message }) => message.content);

const families: Family[] = [
  {
    family: 'sending',
    overlay: { requiresIdempotencyKey: () => false },
    scene: async ({ author, world }) => {
      const path = `/v0/channels/${world.channelId}/messages`;
      return (await author.request('POST', path, { body: { content: 'x' } })).status;
    },
    byContract: 400,
    overlaid: 201,
  },
  {
    family: 'keys of refused sends',
    overlay: { remembersRefusedSend: () => true },
    scene: async ({ author, world }) => {
      await author.send(world.channelId, '', 'same');
      return (await author.send(world.channelId, 'x', 'same')).status;
    },
    byContract: 201,
    overlaid: 409,
  },
  {
    family: 'bounded scans',
    overlay: {
      scanEnd: ({ after, streamEnd }) => (after + 500n < streamEnd ? after + 500n : streamEnd),
      nextAfter: (facts) => (facts.isMoreAbove ? facts.scannedTo : contractRules.nextAfter(facts)),
    },
    scene: async ({ author, reader, world }) => {
      await author.send(world.channelId, { content: 'x', mentions: [targetOf(world, 'agent', 'reader')] });
      return (await reader.mentions('?after=0')).body.page;
    },
    byContract: { next_after: 1000, has_more: false, high_watermark: 1000 },
    overlaid: { next_after: 500, has_more: true, high_watermark: 1000 },
  },
  {
    family: 'refusals',
    overlay: {
      statusOfRefusal: () => 422,
      challenge: () => null,
      errorBody: () => ({ error: { code: 'x', message: '' } }),
    },
    scene: async ({ client }) => {
      const { status, headers, body } = await client('nobody').get('/v0/mentions');
      return [status, headers.has('www-authenticate'), body.error.code];
    },
    byContract: [401, true, 'unauthenticated'],
    overlaid: [422, false, 'x'],
  },
  {
    family: 'waiting',
    overlay: { waitMs: () => 0 },
    scene: async ({ reader, world }) => {
      const started = performance.now();
      await reader.read(world.channelId, '?after=0&wait=1');
      return performance.now() - started < 900;
    },
    byContract: false,
    overlaid: true,
  },
  {
    family: 'woken channels',
    overlay: { channelsWoken: (_channelId, all) => all(), returnsEmptyAfterWake: () => true },
    scene: async ({ author, reader, world }) => {
      const started = performance.now();
      const poll = reader.read(world.channelId, '?after=0&wait=1');
      await setTimeout(50);
      await author.send(world.secondChannelId, 'x');
      return [(await poll).body.messages.length, performance.now() - started < 900];
    },
    byContract: [0, false],
    overlaid: [0, true],
  },
  {
    family: 'woken polls',
    overlay: { limitAfterWake: () => 1, wakeAfterMs: () => 100 },
    scene: async ({ author, reader, world }) => {
      const poll = reader.read(world.channelId, '?after=0&wait=2');
      await setTimeout(50);
      await Promise.all(['one', 'two'].map((content) => author.send(world.channelId, content)));
      return (await poll).body.page.has_more;
    },
    byContract: false,
    overlaid: true,
  },
  {
    family: 'retention of a read',
    overlay: {
      retains:
        ({ newest }) =>
        ({ sequence }) =>
          newest(2).some((each) => each.sequence === sequence),
    },
    scene: async ({ author, world }) => {
      for (const content of ['one', 'two', 'three']) await author.send(world.channelId, content);
      return [await contents(author, world.channelId), await contents(author, world.channelId, '')];
    },
    byContract: [
      ['one', 'two', 'three'],
      ['one', 'two', 'three'],
    ],
    overlaid: [
      ['two', 'three'],
      ['two', 'three'],
    ],
  },
  {
    family: 'load',
    overlay: { secondsToWait: (route) => (route === 'send' ? 2 : null) },
    scene: async ({ author, world }) => {
      const { status, headers } = await author.send(world.channelId, 'x');
      return [status, headers.get('retry-after'), (await contents(author, world.channelId)).length];
    },
    byContract: [201, null, 1],
    overlaid: [429, '2', 0],
  },
  {
    family: 'kinds of refusals',
    overlay: {
      kindOfCredentialProblem: () => 'forbidden',
      kindOfForeignChannel: () => 'not-found',
      kindOfNoAccess: ({ atFirstUse }) => (atFirstUse ? 'unauthenticated' : 'forbidden'),
    },
    scene: async ({ reader, client, operator, world }) => {
      const statuses = [
        (await client('nobody').mentions()).status,
        (await reader.read(world.foreignChannelId)).status,
        (await client(world.roles.outsider.token).mentions()).status,
      ];
      operator.deactivateMembership(world.roles.reader.agentId ?? '');
      const { status, headers } = await reader.mentions();
      return [...statuses, status, headers.has('www-authenticate')];
    },
    byContract: [401, 403, 403, 403, false],
    overlaid: [403, 404, 403, 401, true],
  },
  {
    family: 'presentation',
    overlay: {
      presentMessage: (message) => ({ ...message, size_bytes: message.size_bytes + 1 }),
      contentCoding: () => 'gzip',
      announcesLength: () => false,
      headerName: (name) => name.toUpperCase(),
    },
    scene: async ({ author, world }) => {
      const { body, headers } = await author.send(world.channelId, 'x');
      return [body.message.size_bytes, headers.get('content-encoding'), headers.has('content-length')];
    },
    byContract: [1, null, true],
    overlaid: [2, 'gzip', false],
  },
];

it.each(families)('a rule decides $family', async ({ overlay, scene, byContract, overlaid }) => {
  expect(await withRules({}, scene)).toEqual(byContract);
  expect(await withRules(overlay, scene)).toEqual(overlaid);
});

it('a send in flight holds its key until it is committed', async () => {
  await withRules({ pauseBeforeCommitMs: () => 50 }, async ({ author, world }) => {
    const answers = await Promise.all([1, 2, 3].map(() => author.send(world.channelId, 'x', 'same')));
    expect(new Set(answers.map(({ body }) => body.message.id)).size).toBe(1);
    expect((await author.send(world.channelId, 'y', 'same')).status).toBe(409);
    expect(await contents(author, world.channelId)).toEqual(['x']);
  });
});

it('the byte cap keeps the older end of a newest page, or by another rule the newer', async () => {
  const scene = async ({ author, world }: Stage): Promise<unknown> => {
    for (const content of ['one', 'two', 'six']) await author.send(world.channelId, content);
    const { body } = await author.read(world.channelId);
    return [body.messages.map(({ content }) => content), body.page.has_more];
  };
  expect(await withRules({}, scene, { historyBytes: 7 })).toEqual([['one', 'two'], true]);
  expect(await withRules({ keepsOlderEndOfNewest: () => false }, scene, { historyBytes: 7 })).toEqual([
    ['two', 'six'],
    false,
  ]);
});

it('the rules of the contract are frozen', () => {
  expect(Object.isFrozen(contractRules)).toBe(true);
});

it('integers beyond 2^53 come out exact and go back in as cursors', async () => {
  const overlay: Partial<Rules> = {
    firstEventSequence: () => 2n ** 60n + 1n,
    firstChannelSequence: () => 2n ** 61n + 1n,
  };
  await withRules(overlay, async ({ author, reader, world }) => {
    const mentions = [targetOf(world, 'agent', 'reader')];
    for (const content of ['one', 'two', 'three']) await author.send(world.channelId, { content, mentions });
    const first = await reader.mentions('?after=0&limit=1');
    expect(first.body.page).toEqual({
      next_after: 2n ** 60n + 1n,
      has_more: true,
      high_watermark: 2n ** 60n + 3n,
    });
    expect(first.body.mentions[0]?.message.sequence).toBe(2n ** 61n + 1n);
    expect(await mentioned(reader, `?after=${first.body.page.next_after}`)).toEqual(['two', 'three']);

    const replay = await author.send(world.channelId, 'four', 'key');
    expect((await author.send(world.channelId, 'four', 'key')).body).toEqual(replay.body);
    expect(replay.body.message.sequence).toBe(2n ** 61n + 4n);
  });
});
