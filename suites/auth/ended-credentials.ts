import { isAccepted, statusOf } from '../../harness/client/exchange.ts';
import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import type { Context } from '../../harness/check/context.ts';
import { unmet } from '../../harness/verdict/outcome.ts';
import { callsOf, endedKind, endings } from '../arrange/auth/access-matrix.ts';
import type { Ending, Holder } from '../arrange/auth/access-matrix.ts';
import { expectOfAll } from '../arrange/auth/asked-forms.ts';
import { requireLetIn } from '../arrange/auth/closed-call.ts';
import { refusalWord } from '../arrange/auth/credential-faults.ts';
import type { CredentialKind } from '../arrange/auth/credential-faults.ts';
import { askAgain, formerHolder, useAll } from '../arrange/auth/ended-access.ts';
import { freshPlace, heldBy } from '../arrange/auth/places.ts';

const wordsOf: Readonly<Record<Holder, string>> = {
  author: 'a credential',
  'api-key': 'an API key',
  machine: 'a machine token',
};

/** Credentials that worked and no longer do. */
export const credentialEndChecks: readonly Check[] = endings.map(endingCheck);

function endingCheck(ending: Ending): Check {
  const { holders, end, clause, statuses, inferred } = ending;
  const [first] = holders;
  const which = first === 'author' ? '' : `-${first === 'machine' ? 'machine-token' : first}`;
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
      title: `${wordsOf[first]} that opened every call is answered with ${statuses.join(' or ')} once it has ${end === 'revoked' ? 'been revoked' : end}`,
      clauses: [clause, ...(inferred === undefined ? [] : [inferred])],
      needs: ['provision-hook', end === 'revoked' ? 'revoke-hook' : 'expire-hook'],
    },
    async (context) => {
      await requireOthersEnd(context, ending);
      const agents = holders.filter((holder) => holder !== 'machine');
      const place = await freshPlace(context, agents);
      // Whom the operator left out is missed only where the clause is about it alone.
      const present = holders.filter((holder) => holder === first || place.actor(holder) !== undefined);
      const tokens = present.map((holder) => place.fresh.token(holder));
      const users = present.map((holder) => ({ place: heldBy(place, holder), calls: callsOf(holder) }));
      const used = await useAll(context, users);
      await Promise.all(tokens.map(end === 'revoked' ? context.revoke : context.expire));
      const former = present.map((holder, index) => ({ used: used[index] ?? [], kind: kindOf(holder, end) }));
      const after = await askAgain(context, former, ({ exchange }) => !isAccepted(exchange));
      const other = await place.fresh.actor('reader').readChannel(place.channel.id, { after: 0, limit: 1 });
      requireLetIn(other, 'reader of the fresh workspace');
      expectOfAll(context, clause, after, statuses);
      if (inferred !== undefined) expectOfAll(context, inferred, after, [401]);
    },
  );
}

function kindOf(holder: Holder, end: Ending['end']): CredentialKind {
  return formerHolder(endedKind(holder, end), `with ${wordsOf[holder]} that was ${end} while in use`);
}

/** Where one that ended long ago is still let in, another clause is broken. */
async function requireOthersEnd({ optional }: Context<never>, { end, statuses }: Ending): Promise<void> {
  const withered = await optional(end)?.mentions({ limit: 1 });
  if (withered !== undefined && !statuses.includes(statusOf(withered) ?? 0))
    unmet(
      `a credential that was ${end} before is not answered with ${statuses.join(' or ')} either`,
      withered,
    );
}
