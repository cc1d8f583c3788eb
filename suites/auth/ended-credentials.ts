import { isAccepted, statusOf } from '../../harness/client/exchange.ts';
import type { Exchange } from '../../harness/client/exchange.ts';
import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import type { Context } from '../../harness/check/context.ts';
import { unmet } from '../../harness/verdict/outcome.ts';
import { requireLetIn } from '../arrange/auth/closed-call.ts';
import { refusalWord, statusesOfRevoked } from '../arrange/auth/credential-faults.ts';
import type { ClauseId } from '../../spec/index.ts';
import { eventually } from '../arrange/eventually.ts';

interface CredentialEnd {
  readonly slug: 'revoked' | 'expired';
  readonly clause: ClauseId;
  /** Those that refuse it. */
  readonly statuses: readonly number[];
  /** Says that the status is 401 where that is only inferred. */
  readonly inferred: ClauseId | undefined;
  readonly hook: 'revoke-hook' | 'expire-hook';
  readonly end: (context: Context<'revoke-hook' | 'expire-hook'>, token: string) => Promise<unknown>;
}

/** How a credential that is in use comes to its end. */
const ends: readonly CredentialEnd[] = [
  {
    slug: 'revoked',
    clause: 'auth.revoked-while-in-use',
    statuses: statusesOfRevoked,
    inferred: 'auth.revoked-is-401',
    hook: 'revoke-hook',
    end: ({ revoke }, token) => revoke(token),
  },
  {
    slug: 'expired',
    clause: 'auth.expires-while-in-use',
    statuses: [401],
    inferred: undefined,
    hook: 'expire-hook',
    end: ({ expire }, token) => expire(token),
  },
];

/** Credentials that worked and no longer do. */
export const credentialEndChecks: readonly Check[] = ends.map(
  ({ slug, clause, statuses, inferred, hook, end }) =>
    // ids: auth.revoked-while-in-use-is-refused, auth.expired-while-in-use-is-401
    // auth.revoked-while-in-use: A credential that worked is refused, with 401 or with 403, once it was
    //   revoked.
    // auth.expires-while-in-use: A credential that worked is answered with 401 once it has expired.
    check(
      `auth.${slug}-while-in-use-is-${refusalWord(statuses)}`,
      {
        title: `a credential that opened a call is answered with ${statuses.join(' or ')} once it has ${slug === 'revoked' ? 'been revoked' : slug}`,
        clauses: [clause, ...(inferred === undefined ? [] : [inferred])],
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
        if (
          withered !== undefined &&
          !statuses.includes(statusOf(await withered.mentions({ limit: 1 })) ?? 0)
        )
          unmet(`a credential that was ${slug} before is not answered with ${statuses.join(' or ')} either`);
        requireLetIn(await ask(), 'author of the fresh workspace');
        await end(context as Context<'revoke-hook' | 'expire-hook'>, fresh.token('author'));
        const after = await eventually(context, ask, (answer) => !isAccepted(answer));
        requireLetIn(await ask(other), 'reader of the fresh workspace');
        expect(clause, after).toHaveStatus(...statuses);
        if (inferred !== undefined) expect(inferred, after).toHaveStatus(401);
      },
    ),
);
