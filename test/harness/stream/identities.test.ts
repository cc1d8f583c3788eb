import { describe, expect, it } from 'vitest';
import { defaultNames } from '../../../harness/config/target.ts';
import { Actor, type Session } from '../../../harness/client/actor.ts';
import { createIdentities, IdentityCache } from '../../../harness/stream/identities.ts';
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

describe('the id of an agent', () => {
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
