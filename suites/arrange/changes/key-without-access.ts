import { isAccepted } from '../../../harness/client/exchange.ts';
import { agreedIdOf } from '../provisioned.ts';
import type { Changing, Scene } from './scene.ts';

/**
 * Whoever asks by a key of the workspace is an agent too, where answers and messages name one: the membership of that agent is looked at
 * again for its mentions as for anybody's.
 */
export async function seeKeyShutOut(
  { expect, optionalHook }: Changing,
  { fresh }: Pick<Scene, 'fresh'>,
): Promise<void> {
  const { identities, workspaceId } = fresh;
  const [key, hook] = [fresh.optional('api-key'), optionalHook('deactivate-hook')];
  if (key === undefined || hook === undefined) return;
  const agentId = await agreedIdOf(identities, key);
  if (!isAccepted(await key.mentions({ limit: 1 }))) return;
  const who = { kind: 'access', agentId, workspaceId } as const;
  await hook.deactivate(who);
  const refused = await key.mentions({ limit: 1 });
  await hook.restore(who);
  expect('mentions.membership-rechecked', refused).toHaveStatus(401, 403);
}
