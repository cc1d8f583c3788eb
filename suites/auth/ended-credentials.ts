import { isAccepted, statusOf } from '../../harness/client/exchange.ts';
import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import type { Context } from '../../harness/check/context.ts';
import { unmet } from '../../harness/verdict/outcome.ts';
import { agentCalls, endedCredentials, slugOf } from '../arrange/auth/access-matrix.ts';
import type { EndedCredential } from '../arrange/auth/access-matrix.ts';
import { expectOfAll } from '../arrange/auth/asked-forms.ts';
import { requireLetIn } from '../arrange/auth/closed-call.ts';
import { refusalWord } from '../arrange/auth/credential-faults.ts';
import { askAgain, formerHolder, useAll } from '../arrange/auth/ended-access.ts';
import { overviewCall } from '../arrange/auth/guarded-calls.ts';
import { freshPlace, heldBy } from '../arrange/auth/places.ts';

/** Credentials that worked and no longer do. */
export const credentialEndChecks: readonly Check[] = endedCredentials.map(endedCheck);

function endedCheck(ended: EndedCredential): Check {
  const { holder, end, clause, statuses, inferred } = ended;
  const which = holder === 'author' ? '' : `-${holder === 'machine' ? 'machine-token' : holder}`;
  // ids: auth.<ended>-while-in-use-is-<status>
  // ended: suites/arrange/auth/access-matrix.ts
  // auth.revoked-while-in-use: A credential that worked is refused, with 401 or with 403, once it was
  //   revoked.
  // auth.expires-while-in-use: A credential that worked is answered with 401 once it has expired.
  // auth.api-key-expires: An API key is refused once its chosen expiry has passed.
  // auth.machine-token-expires: A machine token works only until it expires.
  return check(
    `auth.${end}${which}-while-in-use-is-${refusalWord(statuses)}`,
    {
      title: `${wordsOf(ended)} that opened every call is answered with ${statuses.join(' or ')} once it has ${end === 'revoked' ? 'been revoked' : end}`,
      clauses: [clause, ...(inferred === undefined ? [] : [inferred])],
      needs: ['provision-hook', end === 'revoked' ? 'revoke-hook' : 'expire-hook'],
    },
    async (context) => {
      await requireOthersEnd(context, ended);
      const place = await freshPlace(context);
      const { fresh } = place;
      const token = fresh.token(holder);
      const calls = holder === 'machine' ? [overviewCall] : agentCalls;
      const used = await useAll(context, holder === 'api-key' ? heldBy(place, holder) : place, calls);
      await endOf(context, ended)(token);
      const kind = formerHolder(slugOf(ended), `with ${wordsOf(ended)} that was ${end} while in use`);
      const after = await askAgain(context, used, kind, ({ exchange }) => !isAccepted(exchange));
      const other = await fresh.actor('reader').readChannel(fresh.channel.id, { after: 0, limit: 1 });
      requireLetIn(other, 'reader of the fresh workspace');
      expectOfAll(context, clause, after, statuses);
      if (inferred !== undefined) expectOfAll(context, inferred, after, [401]);
    },
  );
}

function wordsOf({ holder }: EndedCredential): string {
  return { author: 'a credential', 'api-key': 'an API key', machine: 'a machine token' }[holder];
}

function endOf(
  context: Context<'revoke-hook' | 'expire-hook'>,
  { end }: EndedCredential,
): (token: string) => Promise<void> {
  return end === 'revoked' ? context.revoke : context.expire;
}

/** Where one that ended long ago is still let in, another clause is broken. */
async function requireOthersEnd(
  { optional }: Context<never>,
  { end, statuses }: EndedCredential,
): Promise<void> {
  const withered = await optional(end)?.mentions({ limit: 1 });
  if (withered !== undefined && !statuses.includes(statusOf(withered) ?? 0))
    unmet(
      `a credential that was ${end} before is not answered with ${statuses.join(' or ')} either`,
      withered,
    );
}
