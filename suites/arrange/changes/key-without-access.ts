import { isAccepted, type Exchange } from '../../../harness/client/exchange.ts';
import { agreedIdOf } from '../provisioned.ts';
import type { Changing, Scene } from './scene.ts';

/**
 * Whoever asks by a key of the workspace is an agent too, where answers and messages name one: the membership of that agent is looked at
 * again for its mentions as for anybody's, and its access for the channel.
 */
export async function seeKeyShutOut(
  { draft, expect, optionalHook }: Changing,
  { fresh }: Pick<Scene, 'fresh'>,
): Promise<void> {
  const { channel, identities, workspaceId } = fresh;
  const [key, hook] = [fresh.optional('api-key'), optionalHook('deactivate-hook')];
  if (key === undefined || hook === undefined) return;
  const agentId = await agreedIdOf(identities, key);
  if (!isAccepted(await key.mentions({ limit: 1 }))) return;
  const read = (): Promise<Exchange> => key.readChannel(channel.id, { after: 0, limit: 1 });
  const isReader = isAccepted(await read());
  const who = { kind: 'access', agentId, workspaceId } as const;
  await hook.deactivate(who);
  const refused = await key.mentions({ limit: 1 });
  // By its message it is known that it may send.
  const others = [await key.send(channel.id, draft().text), ...(isReader ? [await read()] : [])];
  await hook.restore(who);
  expect('mentions.membership-rechecked', refused).toHaveStatus(401, 403);
  for (const answer of others)
    expect('auth.no-access-is-403', answer, 'with a key whose agent lost its access').toHaveStatus(
      401,
      403,
      404,
    );
}
