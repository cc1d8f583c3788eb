import { isAccepted, statusOf } from '../../harness/client/exchange.ts';
import type { Exchange } from '../../harness/client/exchange.ts';
import { check } from '../../harness/engine/check.ts';
import type { Check } from '../../harness/engine/check.ts';
import type { Context } from '../../harness/engine/context.ts';
import { unarranged } from '../../harness/engine/outcome.ts';
import { requireAccepted } from '../authentication/closed-call.ts';
import { eventually } from '../eventually.ts';

/** How a credential that is in use comes to its end. */
const ends = [
  {
    slug: 'revoked',
    clause: 'auth.revoked-while-in-use',
    hook: 'revoke-hook',
    end: ({ revoke }: Context<'revoke-hook'>, token: string) => revoke(token),
  },
  {
    slug: 'expired',
    clause: 'auth.expires-while-in-use',
    hook: 'expire-hook',
    end: ({ expire }: Context<'expire-hook'>, token: string) => expire(token),
  },
] as const;

/** Credentials that worked and no longer do. */
export const credentialEndChecks: readonly Check[] = ends.map(({ slug, clause, hook, end }) =>
  check(
    `auth.${slug}-while-in-use-is-401`,
    {
      title: `a credential that opened a call is answered with 401 once it has ${slug === 'revoked' ? 'been revoked' : slug}`,
      clauses: [clause],
      needs: ['provision-hook', hook],
    },
    async (context) => {
      const { expect, optional, provision } = context;
      const fresh = await provision();
      const [ended, other] = [fresh.actor('author'), fresh.actor('reader')];
      const ask = (actor = ended): Promise<Exchange> =>
        actor.readChannel(fresh.channel.id, { after: 0, limit: 1 });
      // Where one that ended long ago is still let in, another clause is broken.
      const withered = optional(slug);
      if (withered !== undefined && statusOf(await ask(withered)) !== 401)
        unarranged(`a credential that was ${slug} before is not answered with 401 either`);
      requireAccepted(await ask(), 'author of the fresh workspace');
      await end(context as Context<'revoke-hook' | 'expire-hook'>, fresh.token('author'));
      const after = await eventually(context, ask, (answer) => !isAccepted(answer));
      requireAccepted(await ask(other), 'reader of the fresh workspace');
      expect(clause, after).toHaveStatus(401);
    },
  ),
);
