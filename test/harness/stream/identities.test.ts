import { describe, expect, it } from 'vitest';
import type { SentRequest } from '../../../spec/calls/index.ts';
import { defaultNames } from '../../../harness/config/target.ts';
import { Actor, type Session } from '../../../harness/client/actor.ts';
import { createIdentities, IdentityCache } from '../../../harness/stream/identities.ts';
import type { StreamView } from '../../../harness/stream/stream-view.ts';
import { CheckStopped } from '../../../harness/verdict/outcome.ts';
import { exchangeOf } from '../../fixtures/exchange.ts';

const [right, wrong, third] = ['a', 'b', 'c'].map((digit) => `0f8fad5b-d9cb-469f-a165-70867728950${digit}`);

/** The id that is learned of an agent whose answers name these, one after the other. */
async function learnedOf(...named: readonly (string | undefined)[]): Promise<string | undefined> {
  const ids = named.values();
  const client = {
    exchange: () =>
      Promise.resolve(exchangeOf({}, { headers: { 'x-service-agent-id': [ids.next().value ?? ''] } })),
  };
  const session = { client, record: () => {}, signal: new AbortController().signal } as unknown as Session;
  const limits = { ratePerSecond: undefined, maxBytes: 1e9, isReadOnly: false };
  const target = { channelId: undefined, workspaceId: undefined, names: defaultNames, limits };
  const identities = createIdentities(
    new IdentityCache(),
    { target, draft: () => ({ text: '', marker: '' }) },
    () => undefined,
    () => Promise.reject(new Error('nobody reads')),
  );
  return identities.agentId(new Actor('author', 'token', session)).catch((error: unknown) => {
    if (error instanceof CheckStopped) return undefined;
    throw error;
  });
}

/**
 * The ids learned of two agents whose answers all name one, while their messages, if they are shown at all, show who sent them, and how many messages
 * were waited for.
 */
async function learnedOfTwo(named: string | undefined, isShown = true, refused?: string) {
  let waits = 0;
  const client = {
    exchange: (actor: string, { method }: SentRequest) =>
      Promise.resolve(
        method === 'GET'
          ? exchangeOf({}, { headers: { 'x-service-agent-id': [named ?? ''] } })
          : exchangeOf({ call: 'send' }, { status: actor === refused ? 403 : 201 }),
      ),
  };
  const session = { client, record: () => {}, signal: new AbortController().signal } as unknown as Session;
  const limits = { ratePerSecond: undefined, maxBytes: 1e9, isReadOnly: false };
  const shown = new Map([
    ['author', right],
    ['reader', third],
  ]);
  const identities = createIdentities(
    new IdentityCache(),
    {
      target: { channelId: 'a channel', workspaceId: undefined, names: defaultNames, limits },
      draft: () => ({ text: '', marker: '' }),
    },
    () => undefined,
    ({ name }) =>
      Promise.resolve({
        arrival: () => {
          waits += 1;
          return isShown
            ? Promise.resolve({ message: { author: { id: shown.get(name) } } })
            : Promise.reject(
                new CheckStopped({ kind: 'unmet', reason: 'it is not shown', exchange: undefined }),
              );
        },
      } as unknown as StreamView),
  );
  const learned: (string | undefined)[] = [];
  for (const name of shown.keys())
    learned.push(await identities.agentId(new Actor(name, 'token', session)).catch(() => undefined));
  return { learned, waits };
}

describe('the id of an agent', () => {
  it.each([
    ['another is called by', right],
    ['nobody is named by', undefined],
  ])('is what its messages show where its answers have an id that %s', async (_what, named) => {
    expect((await learnedOfTwo(named)).learned).toEqual([right, third]);
  });

  it('is what a message shows also where that of another agent was refused', async () => {
    expect((await learnedOfTwo(undefined, true, 'author')).learned).toEqual([undefined, third]);
  });

  it('is waited for in no second message where one was not shown', async () => {
    expect(await learnedOfTwo(undefined, false)).toEqual({ learned: [undefined, undefined], waits: 1 });
  });

  it.each([
    ['is what two answers name', [right, right], right],
    ['is what two of three answers name', [wrong, right, right], right],
    ['is what the first and the last of three name', [right, wrong, right], right],
    ['is not to be learned of answers that name three', [right, wrong, third], undefined],
    ['is not to be learned where an answer names nobody', [right, undefined], undefined],
  ])('%s', async (_what, named, expected) => {
    expect(await learnedOf(...named)).toBe(expected);
  });
});

describe('the id of an agent by which something was seen broken', () => {
  /** What is learned of an agent whose answers name these ids, the last one from then on, and whose messages show another; before and after asking again. */
  async function learnedAgain(...named: readonly string[]) {
    const ids = [...named];
    const client = {
      exchange: (_actor: string, { method }: SentRequest) => {
        const id = (ids.length > 1 ? ids.shift() : ids[0]) ?? '';
        return Promise.resolve(
          method === 'GET'
            ? exchangeOf({}, { headers: { 'x-service-agent-id': [id] } })
            : exchangeOf({}, { status: 201 }),
        );
      },
    };
    const session = { client, record: () => {}, signal: new AbortController().signal } as unknown as Session;
    const limits = { ratePerSecond: undefined, maxBytes: 1e9, isReadOnly: false };
    const author = new Actor('author', 'token', session);
    const cache = new IdentityCache();
    const channel = { arrival: () => Promise.resolve({ message: { author: { id: right } } }) };
    const identities = createIdentities(
      cache,
      {
        target: { channelId: 'a channel', workspaceId: undefined, names: defaultNames, limits },
        draft: () => ({ text: '', marker: '' }),
      },
      (role) => (role === 'author' ? author : undefined),
      () => Promise.resolve(channel as unknown as StreamView),
    );
    const before = await identities.agentId(author);
    // Whoever asks while another does waits for the same answer.
    const together = [identities.correct(), identities.correct()];
    const isCorrected = [...(await Promise.all(together)), await identities.correct()];
    return { before, isCorrected, after: await identities.agentId(author), corrections: cache.corrections };
  }

  it('is what its messages show where answers name now one agent and now another', async () => {
    expect(await learnedAgain(...[wrong, wrong, wrong, right].flatMap((id) => id ?? []))).toEqual({
      before: wrong,
      isCorrected: [true, true, false],
      after: right,
      corrections: 1,
    });
  });

  it.each([
    ['every answer names it', wrong],
    ['it is what messages show', right],
  ])('stays where %s', async (_what, id = '') => {
    expect(await learnedAgain(id)).toEqual({
      before: id,
      isCorrected: [false, false, false],
      after: id,
      corrections: 0,
    });
  });
});

/** The identities of a run whose server answers sends with a status, and shows what was sent as given. */
function identitiesAt(status: number, message: Readonly<Record<string, unknown>>) {
  const client = { exchange: () => Promise.resolve(exchangeOf({}, { status })) };
  const session = { client, record: () => {}, signal: new AbortController().signal } as unknown as Session;
  const limits = { ratePerSecond: undefined, maxBytes: 1e9, isReadOnly: false };
  const target = { channelId: 'a channel', workspaceId: undefined, names: defaultNames, limits };
  const channel = { arrival: () => Promise.resolve({ message }) } as unknown as StreamView;
  const author = new Actor('author', 'token', session);
  const identities = createIdentities(
    new IdentityCache(),
    { target, draft: () => ({ text: '', marker: '' }) },
    () => author,
    () => Promise.resolve(channel),
  );
  return { identities, author };
}

describe('the memory of a server', () => {
  it('is asked for to credit right answers, not to learn ids', async () => {
    const { identities, author } = identitiesAt(404, {});
    await expect(identities.memory(author)).rejects.toThrow(
      'right answers count once the server shows a message that was sent to it: author could not send one (status 404)',
    );
    await expect(identities.provenance(author)).rejects.toThrow(
      'ids are learned from a message: author could not send one (status 404)',
    );
  });

  it('is shown by a message of whose author nothing can be learned', async () => {
    const { identities, author } = identitiesAt(201, { author: null });
    await expect(identities.memory(author)).resolves.toBeUndefined();
    await expect(identities.provenance(author)).rejects.toThrow('shows no usable author id');
  });
});
