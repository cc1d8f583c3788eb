import { check, type Check } from '../../harness/check/check.ts';
import type { Context } from '../../harness/check/context.ts';
import type { FreshWorkspace } from '../../harness/check/fresh-workspace.ts';
import type { LifecycleFixtures } from '../../harness/check/hook-fixtures.ts';
import { isAccepted, statusOf } from '../../harness/client/exchange.ts';
import { given, unmet } from '../../harness/verdict/outcome.ts';
import { isShutOut, requireLetIn, useOf } from '../arrange/auth/closed-call.ts';
import { lastAgents } from '../arrange/send/accepted-sends.ts';
import { orElse } from '../arrange/or-else.ts';
import { agreedIdOf, requireBehind } from '../arrange/provisioned.ts';

const needs = ['provision-hook', 'restart-hook'] as const;

const clauses = [
  'auth.revoked-while-in-use',
  'auth.expires-while-in-use',
  'auth.api-key-expires',
  'mentions.membership-rechecked',
  'auth.machine-lifecycle',
  'auth.machine-membership',
] as const;

/** Something that closes its call to somebody, and how that is answered from then on. */
interface Closing {
  readonly role: 'author' | 'api-key' | 'machine';
  readonly clause: (typeof clauses)[number];
  readonly expected: readonly number[] | 'refused';
  readonly by: 'revoke' | 'expire' | 'access' | 'machine' | 'membership';
}

/** By workspace: what ends for one there concerns none of the others, nor an agent without a human and a machine. */
const closings: readonly (readonly Closing[])[] = [
  [
    { role: 'author', by: 'revoke', clause: 'auth.revoked-while-in-use', expected: [401, 403] },
    { role: 'api-key', by: 'expire', clause: 'auth.api-key-expires', expected: [401] },
    { role: 'machine', by: 'machine', clause: 'auth.machine-lifecycle', expected: 'refused' },
  ],
  [
    { role: 'author', by: 'expire', clause: 'auth.expires-while-in-use', expected: [401] },
    { role: 'api-key', by: 'revoke', clause: 'auth.revoked-while-in-use', expected: [401, 403] },
    { role: 'machine', by: 'membership', clause: 'auth.machine-membership', expected: 'refused' },
  ],
  // A machine or a human that is no longer active may take its agents along, and a key may speak for one of them.
  [{ role: 'author', by: 'access', clause: 'mentions.membership-rechecked', expected: [401, 403] }],
];

/** What was closed to somebody, and stays closed. */
export const authRestartChecks: readonly Check[] = [
  // auth.revoked-while-in-use: A credential that worked is refused, with 401 or with 403, once it was
  //   revoked.
  check(
    'auth.what-was-closed-stays-closed-after-a-restart',
    {
      title:
        'what was revoked, has expired, or lost access, machine or membership is still refused after a restart',
      clauses,
      needs,
    },
    async (context) => {
      const { expect, provision, restart } = context;
      const workspaces = await Promise.all(
        closings.map(async (own) => {
          const fresh = await provision({ agents: 1 });
          const [control] = lastAgents(fresh, 1);
          const closed = await Promise.all(own.map((closing) => closeTo(context, fresh, closing)));
          return { fresh, control, closed: closed.flat() };
        }),
      );
      given(
        workspaces.some(({ closed }) => closed.length > 0),
        'no hook closed what was open before: see the checks that need hooks.revoke, expire or deactivate',
      );
      await restart();
      for (const { fresh, control, closed } of workspaces) {
        const still =
          (await control?.mentions({ limit: 1 })) ??
          unmet('hooks.provision made no agent beside those of its roles');
        requireLetIn(still, 'another agent of the fresh workspace');
        for (const { role, clause, expected } of closed) {
          const answer = expect(clause, await useOf(fresh, role), 'after a restart');
          if (expected === 'refused') answer.toBeRefused();
          else answer.toHaveStatus(...expected);
        }
      }
    },
  ),
];

/** The closing, once it was seen to close as it should what was open before: where it does not, other checks say so. */
function closeTo(
  context: Context<(typeof needs)[number]>,
  fresh: FreshWorkspace,
  closing: Closing,
): Promise<readonly Closing[]> {
  const { role, expected } = closing;
  const close = async (): Promise<readonly Closing[]> => {
    if (!isAccepted(await useOf(fresh, role)) || !(await end(context, fresh, closing))) return [];
    const answer = await useOf(fresh, role);
    const isClosed = expected === 'refused' ? isShutOut(answer) : expected.includes(statusOf(answer) ?? 0);
    return isClosed ? [closing] : [];
  };
  return orElse(close(), () => []);
}

/** False where the operator has no hook for it. */
async function end(
  { optionalHook }: Context<(typeof needs)[number]>,
  fresh: FreshWorkspace,
  { role, by }: Closing,
): Promise<boolean> {
  if (by === 'revoke' || by === 'expire') {
    const credentials = { ...optionalHook('revoke-hook'), ...optionalHook('expire-hook') };
    await credentials[by]?.(fresh.token(role));
    return credentials[by] !== undefined;
  }
  const deactivate = optionalHook('deactivate-hook')?.deactivate;
  await deactivate?.(await holding(fresh, role, by));
  return deactivate !== undefined;
}

/** What somebody hangs on; a machine token is that of the reader's machine. */
async function holding(
  fresh: FreshWorkspace,
  role: Closing['role'],
  kind: LifecycleFixtures['kind'],
): Promise<LifecycleFixtures> {
  const { identities, workspaceId } = fresh;
  if (kind === 'access')
    return { kind, workspaceId, agentId: await agreedIdOf(identities, fresh.actor(role)) };
  const { machineId, humanUserId } = await identities.provenance(fresh.actor('reader'));
  if (kind === 'machine')
    return { kind, workspaceId, machineId: requireBehind(machineId, 'reader', 'machine') };
  return { kind, workspaceId, humanUserId: requireBehind(humanUserId, 'reader', 'human') };
}
