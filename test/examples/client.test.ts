import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ChaosProxy, startChaos } from '../../harness/front/chaos.ts';
import { faultsNamed } from '../../cli/serve/faults.ts';
import { MessagingClient, Refused } from '../../examples/client/client.ts';
import { type Reference, startReference } from '../../reference/index.ts';

const trouble = {
  seed: 5,
  cut: 0.25,
  limited: 0.15,
  unavailable: 0.2,
  retryAfterSeconds: 0,
  delayMs: 3,
  latencyMs: 2,
};
const patience = { pauseMs: 2, tries: 20 };
const texts = Array.from({ length: 40 }, (_, index) => `message ${index}`);

let reference: Reference;
let proxy: ChaosProxy;
let author: MessagingClient;
let reader: MessagingClient;

beforeAll(async () => {
  reference = await startReference();
  proxy = await startChaos(reference, trouble);
  const { roles } = reference.world;
  author = new MessagingClient(proxy.baseUrl, roles.author.token, patience);
  reader = new MessagingClient(proxy.baseUrl, roles.reader.token, patience);
});

afterAll(async () => {
  await proxy.close();
  await reference.close();
});

/** Whatever happens on the way of these: what stands in a channel at last. */
async function contentsAfter(client: MessagingClient, at: Reference): Promise<readonly string[]> {
  const { channelId, roles } = at.world;
  for (const text of texts) await client.append(channelId, text);
  const direct = new MessagingClient(at.baseUrl, roles.reader.token);
  return (await direct.messages(channelId, 0)).items.map(({ content }) => content);
}

describe('the example client', () => {
  it('writes each message once, and in order, whatever becomes of requests and answers', async () => {
    expect(await contentsAfter(author, reference)).toEqual(texts);
    const { pass: _, ...fates } = proxy.counts();
    expect(Object.values(fates).every((count) => count > 0)).toBe(true);
  });

  it('shows what a server does that forgets keys: the same message twice', async () => {
    const { options } = await faultsNamed({ mutant: 'key-is-forgotten-at-once', variant: [] }, 1);
    await using mutant = await startReference(options);
    await using before = await startChaos(mutant, trouble);
    const client = new MessagingClient(before.baseUrl, mutant.world.roles.author.token, patience);
    expect((await contentsAfter(client, mutant)).length).toBeGreaterThan(texts.length);
  });

  it('reads to the end page after page, and continues from its cursor', async () => {
    const { channelId } = reference.world;
    const all = await reader.messages(channelId, 0, 7);
    expect(all.items.map(({ content }) => content)).toEqual(texts);
    expect((await reader.messages(channelId, all.after)).items).toEqual([]);
    const { sequence } = await author.append(channelId, 'one more');
    expect((await reader.messages(channelId, all.after)).items).toMatchObject([
      { sequence, content: 'one more' },
    ]);
  });

  it('waits for the next message in a long poll', async () => {
    const { secondChannelId } = reference.world;
    const { after } = await reader.messages(secondChannelId, 0);
    const waiting = reader.wait(secondChannelId, after, 20);
    await author.append(secondChannelId, 'at last');
    expect((await waiting).items).toMatchObject([{ content: 'at last' }]);
    const nothing = await reader.wait(secondChannelId, (await waiting).after, 1);
    expect(nothing).toEqual({ items: [], after: (await waiting).after });
  });

  it('reads what mentions it, by a cursor of the workspace', async () => {
    const { channelId, roles } = reference.world;
    const { after } = await reader.mentions(0);
    const mentions = [{ kind: 'agent', id: roles.reader.agentId }];
    const { id } = await author.append(channelId, 'for you', { mentions });
    const { items } = await reader.mentions(after);
    expect(items).toMatchObject([{ message: { id, content: 'for you' } }]);
  });

  it('tries no refused request again', async () => {
    const asked: string[] = [];
    await using strict = await startReference({ answer: (_, { path }) => void asked.push(path) });
    const client = new MessagingClient(strict.baseUrl, strict.world.roles.author.token);
    const refused = await client.append(strict.world.channelId, '').catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Refused);
    expect((refused as Refused).status).toBe(400);
    expect(asked).toHaveLength(1);
  });

  it('gives up where nobody answers, and says why', async () => {
    const client = new MessagingClient('http://127.0.0.1:9', 'none', { tries: 2, pauseMs: 1 });
    await expect(client.mentions(0)).rejects.toThrow(
      'GET /v0/mentions?after=0&limit=100: fetch failed, 2 times',
    );
  });
});
