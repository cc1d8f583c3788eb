import { check, type Check } from '../../harness/check/check.ts';
import type { FreshWorkspace } from '../../harness/check/fresh-workspace.ts';
import { isAccepted, statusOf, type Exchange } from '../../harness/client/exchange.ts';
import type { RoleName } from '../../harness/config/roles.ts';
import { viewers } from '../../harness/stream/every-view.ts';
import { describeAnswer, given, hasTrouble } from '../../harness/verdict/outcome.ts';
import { useOf } from '../arrange/auth/closed-call.ts';
import { whileInUse } from '../arrange/auth/while-in-use.ts';
import { afterPauses } from '../arrange/eventually.ts';
import { arranged } from '../arrange/or-else.ts';

/** Whom an end is not about. */
export const otherCredentialChecks: readonly Check[] = [
  // auth.others-stay-valid: A credential goes on working when another one is revoked or expires, be it of the
  //   same agent.
  check(
    'auth.the-end-of-a-credential-is-no-end-of-others',
    {
      title: 'everybody else is let in after credentials were revoked or expired, be they of the same agent',
      clauses: ['auth.others-stay-valid'],
      needs: ['provision-hook', 'revoke-hook'],
    },
    async ({ expect, optionalHook, provision, revoke }) => {
      const fresh = await provision();
      const before = await useAll(fresh, [...viewers, 'machine']);
      const keyed = fresh.secondApiKey;
      const secondKey = await keyed?.mentions({ limit: 1 });
      const expire = optionalHook('expire-hook')?.expire;
      // Whose the former ones are nobody says: often those of an agent that has a good one as well.
      const isUnusual = true;
      const endings: readonly (readonly [RoleName, (token: string) => Promise<void>])[] = [
        ['expired', (token) => revoke(token, { isUnusual })],
        ...(expire === undefined
          ? []
          : [['revoked', (token: string) => expire(token, { isUnusual })] as const]),
        ['api-key', (token) => revoke(token)],
      ];
      const ended = endings.filter(([role]) => fresh.optional(role) !== undefined);
      given(
        ended.length > 0,
        'the fresh workspace has no token to end: hooks.provision can give roles.expired, revoked or api_key',
      );
      let hasEnded = false;
      for (const [role, end] of ended) {
        hasEnded = (await arranged(() => end(fresh.token(role)).then(() => true))) ?? hasEnded;
        // Whoever finds out on its use that it has ended must not hold that against its agent.
        await fresh.actor(role).mentions({ limit: 1 });
      }
      given(
        hasEnded,
        'neither hooks.revoke nor hooks.expire has ended any of the tokens in expired, revoked and api_key',
      );
      const left = before.flatMap(({ role, exchange }) =>
        isAccepted(exchange) && ended.every(([each]) => fresh.token(each) !== fresh.token(role)) ? role : [],
      );
      given(left.length > 0, 'nobody whose token is to stay was let in before');
      const after = (await useAll(fresh, left)).map(({ exchange }) => exchange);
      // The key that was revoked is not the only one of its workspace.
      if (keyed && secondKey && isAccepted(secondKey)) after.push(await keyed.mentions({ limit: 1 }));
      for (const exchange of after) {
        const isClosed = [401, 403].includes(statusOf(exchange) ?? 0);
        const problem = {
          expected: `${exchange.actor} is let in after credentials of others ended`,
          actual: describeAnswer(exchange),
        };
        expect.holds('auth.others-stay-valid', !isClosed, problem, exchange);
      }
    },
  ),
  // auth.agents-of-a-human-leave-together: Where the end of a membership shuts an agent of its human out of
  //   the mentions, no agent of that human reads or sends any more.
  check(
    'auth.agents-of-a-human-leave-together',
    {
      title:
        'every agent of a human is shut out by the end of its membership, from channels and from sending too, or none is',
      clauses: ['auth.agents-of-a-human-leave-together'],
      needs: ['provision-hook', 'deactivate-hook'],
    },
    async (context) => {
      const { deactivate, draft, expect, provision } = context;
      const fresh = await provision();
      const { agents, channel, identities, lacking, workspaceId } = fresh;
      // A key of the workspace may outlast whoever made it.
      const roles = viewers.filter((role) => role !== 'api-key');
      const actors = [...roles.flatMap((role) => fresh.optional(role) ?? []), ...agents, ...lacking.values()];
      const known = await Promise.all(
        actors.map(async (actor) => ({ actor, ...(await identities.provenance(actor)) })),
      );
      const reads = known.map(
        ({ actor }) =>
          () =>
            actor.mentions({ limit: 1 }),
      );
      const ask = (): Promise<readonly Exchange[]> => Promise.all(reads.map((read) => read()));
      const before = await ask();
      const humans = new Set(known.flatMap(({ humanUserId }) => humanUserId ?? []));
      const endAll = async (): Promise<void> => {
        for (const humanUserId of humans) await deactivate({ kind: 'membership', humanUserId, workspaceId });
      };
      const after = await whileInUse(context, reads, endAll, ask);
      const isShutOut = (exchange: Exchange | undefined): boolean =>
        exchange !== undefined && [401, 403].includes(statusOf(exchange) ?? 0);
      let areJudged = false;
      for (const human of humans) {
        const own = after.filter((_exchange, at) => known[at]?.humanUserId === human);
        // Whether agents share the membership of their human is not said: where none is shut out, they do not.
        const shutOut = own.find(
          (exchange) => isShutOut(exchange) && !isShutOut(before[after.indexOf(exchange)]),
        );
        if (shutOut === undefined) continue;
        areJudged = true;
        const others = known.filter(({ humanUserId }) => humanUserId === human);
        const uses = others.flatMap(({ actor }) => [
          actor.readChannel(channel.id, { after: 0, limit: 1 }),
          actor.send(channel.id, draft().text),
        ]);
        for (const exchange of [...own, ...(await Promise.all(uses))].filter((each) => !hasTrouble(each))) {
          const problem = {
            expected: `${exchange.actor} to be shut out as ${shutOut.actor} is from the mentions, whose human is the same`,
            actual: describeAnswer(exchange),
          };
          const clause = 'auth.agents-of-a-human-leave-together';
          expect.holds(clause, !isAccepted(exchange), problem, shutOut, exchange);
        }
      }
      if (areJudged) return;
      const readsOfChannel = known.map(({ actor }) => actor.readChannel(channel.id, { after: 0, limit: 1 }));
      given((await Promise.all(readsOfChannel)).some(isShutOut), nobodyOut);
      // What shuts them out there may take a while for the mentions, which look at each request.
      const late = await afterPauses(context, pausesOfLooksMs, ask, (answers) => answers.some(isShutOut));
      const [at] = known.flatMap((_, index) =>
        isShutOut(late?.[index]) && !isShutOut(after[index]) ? index : [],
      );
      const [first, last] = at === undefined ? [] : [after[at], late?.[at]];
      given(first !== undefined && last !== undefined, nobodyOut);
      const problem = {
        expected: `${first.actor} to be shut out of the mentions from the first request on, as it is later`,
        actual: describeAnswer(first),
      };
      expect.holds('auth.agents-of-a-human-leave-together', !isAccepted(first), problem, last, first);
    },
  ),
];

const nobodyOut = 'the end of the membership of its human shut no agent out of its mentions';

/** Pauses before looks at what has not ended yet, in ms: some remember for seconds who gets in. */
const pausesOfLooksMs = [1_000, 2_000, 3_000];

/** How each is answered who is there. */
function useAll(
  fresh: FreshWorkspace,
  roles: readonly RoleName[],
): Promise<readonly { readonly role: RoleName; readonly exchange: Exchange }[]> {
  const used = roles
    .filter((role) => fresh.optional(role) !== undefined)
    .map(async (role) => ({ role, exchange: await useOf(fresh, role) }));
  return Promise.all(used);
}
