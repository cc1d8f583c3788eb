import { check, type Check } from '../../harness/check/check.ts';
import type { Actor } from '../../harness/client/actor.ts';
import type { Context } from '../../harness/check/context.ts';
import type { FreshWorkspace } from '../../harness/check/fresh-workspace.ts';
import type { LifecycleFixtures } from '../../harness/check/hook-fixtures.ts';
import { isAccepted, statusOf, type Exchange } from '../../harness/client/exchange.ts';
import { describeAnswer, given, unmet } from '../../harness/verdict/outcome.ts';
import { isShutOut, requireLetIn, useOf } from '../arrange/auth/closed-call.ts';
import { lastAgents } from '../arrange/send/accepted-sends.ts';
import { afterPauses } from '../arrange/eventually.ts';
import { orElse } from '../arrange/or-else.ts';
import { agreedIdOf, requireBehind } from '../arrange/provisioned.ts';

const needs = ['provision-hook', 'restart-hook'] as const;

const clauses = [
  'auth.revoked-while-in-use',
  'auth.expires-while-in-use',
  'auth.api-key-expires',
  'mentions.membership-rechecked',
  'auth.no-access-is-403',
  'auth.machine-token-expires',
  'auth.machine-lifecycle',
  'auth.machine-membership',
  'auth.bearer-accepted',
] as const;

type Ends = Context<(typeof needs)[number]>;

/** Something that closes its call to somebody, and how that is answered from then on. */
interface Closing {
  readonly role: 'author' | 'api-key' | 'machine';
  readonly clause: (typeof clauses)[number];
  readonly expected: readonly number[] | 'refused';
  readonly by: 'revoke' | 'expire' | 'access' | 'machine' | 'membership';
}

/** A call that was closed, and how it is answered from then on. */
interface Closed extends Pick<Closing, 'clause' | 'expected'> {
  readonly ask: () => Promise<Exchange>;
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
  [
    { role: 'author', by: 'access', clause: 'mentions.membership-rechecked', expected: [401, 403] },
    { role: 'machine', by: 'revoke', clause: 'auth.revoked-while-in-use', expected: [401, 403] },
  ],
  [
    { role: 'author', by: 'membership', clause: 'mentions.membership-rechecked', expected: [401, 403] },
    { role: 'machine', by: 'expire', clause: 'auth.machine-token-expires', expected: [401] },
  ],
];

/** Pauses before looks at somebody who is taken for nobody, in ms: a server may not know its tokens yet. */
const pausesOfLooksMs = [500, 1_000, 2_000];

/** What was closed to somebody, and stays closed. */
export const authRestartChecks: readonly Check[] = [
  // auth.revoked-while-in-use: A credential that worked is refused, with 401 or with 403, once it was
  //   revoked.
  check(
    'auth.what-was-closed-stays-closed-after-a-restart',
    {
      title:
        'what was revoked, has expired, or lost access, machine or membership is still refused after a restart, and nobody else is',
      clauses,
      needs,
    },
    async (context) => {
      const { expect, provision, restart } = context;
      const workspaces = await Promise.all(
        closings.map(async (own) => {
          const fresh = await provision({ agents: 1 });
          const [control = unmet('hooks.provision made no agent beside those of its roles')] = lastAgents(
            fresh,
            1,
          );
          const closed = await Promise.all(own.map((closing) => closeTo(context, fresh, closing)));
          // Its human may be one of those that are no longer there.
          const isLetIn = isAccepted(await control.mentions({ limit: 1 }));
          return { control, closed: isLetIn ? closed.flat() : [] };
        }),
      );
      given(
        workspaces.some(({ closed }) => closed.length > 0),
        'no hook closed what was open before: see the checks that need hooks.revoke, expire or deactivate',
      );
      await restart();
      for (const { control, closed } of workspaces.filter((each) => each.closed.length > 0)) {
        await expectStillKnown(context, control);
        for (const { clause, expected, ask } of closed) {
          const answer = expect(clause, await ask(), 'after a restart');
          if (expected === 'refused') answer.toBeRefused();
          else answer.toHaveStatus(...expected);
        }
      }
    },
  ),
];

/** Sees somebody let in who was let in right before a restart; a 401 of who is known again later is about no credential. */
async function expectStillKnown(context: Ends, control: Actor): Promise<void> {
  const ask = (): Promise<Exchange> => control.mentions({ limit: 1 });
  const first = await ask();
  const isNobody = statusOf(first) === 401;
  const later = isNobody ? await afterPauses(context, pausesOfLooksMs, ask, isAccepted) : first;
  requireLetIn(later ?? first, 'another agent of the fresh workspace');
  const problem = {
    expected: `${control.name}, who is let in before a restart and later, let in right after it`,
    actual: describeAnswer(first),
  };
  context.expect.holds('auth.bearer-accepted', !isNobody, problem, first);
}

/** What the closing closes of what was open, once it was seen to do so as it should: where it does not, other checks say so. */
function closeTo(context: Ends, fresh: FreshWorkspace, closing: Closing): Promise<readonly Closed[]> {
  const close = async (): Promise<readonly Closed[]> => {
    const uses = usesOf(context, fresh, closing);
    const open = await answered(uses, (_use, answer) => isAccepted(answer));
    if (open.length === 0 || !(await end(context, fresh, closing))) return [];
    return answered(open, ({ expected }, answer) =>
      expected === 'refused' ? isShutOut(answer) : expected.includes(statusOf(answer) ?? 0),
    );
  };
  return orElse(close(), () => []);
}

/** The calls that are to be closed: who has no access is looked up by what serves channels, too. */
function usesOf(
  { draft }: Ends,
  fresh: FreshWorkspace,
  { role, by, clause, expected }: Closing,
): readonly Closed[] {
  const { channel } = fresh;
  const actor = fresh.actor(role);
  const ofChannels = { clause: 'auth.no-access-is-403', expected: [401, 403, 404] } as const;
  const own = { clause, expected, ask: () => useOf(fresh, role) };
  if (by !== 'access') return [own];
  return [
    own,
    { ...ofChannels, ask: () => actor.readChannel(channel.id, { after: 0, limit: 1 }) },
    { ...ofChannels, ask: () => actor.send(channel.id, draft().text) },
  ];
}

/** Those of some calls, all asked at one time, that are answered as they should be. */
async function answered(
  uses: readonly Closed[],
  isRight: (use: Closed, answer: Exchange) => boolean,
): Promise<readonly Closed[]> {
  const right = uses.map(async (use) => (isRight(use, await use.ask()) ? [use] : []));
  return (await Promise.all(right)).flat();
}

/** False where the operator has no hook for it. */
async function end({ optionalHook }: Ends, fresh: FreshWorkspace, { role, by }: Closing): Promise<boolean> {
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
  const behind = role === 'machine' ? 'reader' : role;
  const { machineId, humanUserId } = await identities.provenance(fresh.actor(behind));
  if (kind === 'machine')
    return { kind, workspaceId, machineId: requireBehind(machineId, behind, 'machine') };
  return { kind, workspaceId, humanUserId: requireBehind(humanUserId, behind, 'human') };
}
