import { check, type Check } from '../../harness/check/check.ts';
import type { Exchange } from '../../harness/client/exchange.ts';
import { given, unmet } from '../../harness/verdict/outcome.ts';
import { requireLetIn } from '../arrange/auth/closed-call.ts';
import { seeEnded } from '../arrange/auth/ended-access.ts';
import { endings, type Ending } from '../arrange/auth/endings.ts';

/** How long a token is to be good that time alone ends, and the longest that it may be, in seconds. */
const [shortLife, longestLife] = [3, 20];
/** A clock that counts seconds ends it up to one later, in seconds. */
const graceOfSeconds = 1;

const hooks = { revoked: 'revoke-hook', expired: 'expire-hook' } as const;

/** Credentials that worked and no longer do. */
export const endedAccessChecks: readonly Check[] = [
  ...endings.map(endingCheck),
  // auth.revoked-while-in-use: A credential that worked is refused, with 401 or with 403, once it was
  //   revoked.
  check(
    'auth.a-connection-lets-nobody-in',
    {
      title:
        'on a connection that carried a good credential none is needed as before, and a revoked one is refused',
      clauses: ['auth.revoked-while-in-use', 'auth.missing-credential'],
      needs: ['provision-hook', 'revoke-hook'],
    },
    async ({ expect, provision, revoke, settleMs, sleep }) => {
      const fresh = await provision();
      const author = fresh.actor('author').onOneConnection();
      const asked = { after: 0, limit: 1 };
      requireLetIn(await author.readChannel(fresh.channel.id, asked), 'an author on one connection');
      const nobody = await author.withToken(undefined, 'anonymous').readChannel(fresh.channel.id, asked);
      expect('auth.missing-credential', nobody, 'on the connection of somebody who was let in').toHaveStatus(
        401,
      );
      requireLetIn(await author.readChannel(fresh.channel.id, asked), 'an author on one connection');
      await revoke(fresh.token('author'));
      await sleep(settleMs);
      const after = await author.readChannel(fresh.channel.id, asked);
      expect(
        'auth.revoked-while-in-use',
        after,
        'with a revoked credential on the connection that carried it last',
      ).toHaveStatus(401, 403);
    },
  ),
  // auth.expires-while-in-use: A credential that worked is answered with 401 once it has expired.
  check(
    'auth.time-alone-ends-a-token',
    {
      title:
        'a token that opened calls until it expired is answered with 401 then, when nothing but time has ended it',
      clauses: ['auth.expires-while-in-use'],
      needs: ['provision-hook'],
      waitMs: 1_000 * (shortLife + graceOfSeconds),
    },
    async ({ expect, provision, sleep }) => {
      const fresh = await provision({ shortLived: shortLife });
      const { actor, endsMs } =
        fresh.shortLived ?? unmet('hooks.provision gave no short_lived: a token that time alone ends');
      given(
        endsMs - performance.now() < 1_000 * longestLife,
        'short_lived is good for too long to wait for it',
      );
      const calls: readonly (() => Promise<Exchange>)[] = [
        () => actor.mentions({ limit: 1 }),
        () => actor.readChannel(fresh.channel.id, { after: 0, limit: 1 }),
      ];
      for (const ask of calls) requireLetIn(await ask(), 'an agent whose token is to expire');
      await sleep(endsMs + 1_000 * graceOfSeconds - performance.now());
      for (const ask of calls)
        expect('auth.expires-while-in-use', await ask(), 'with a token that time has ended').toHaveStatus(
          401,
        );
    },
  ),
];

function endingCheck(ending: Ending): Check {
  const { slug, title, end, lost, regained, meanwhile = [] } = ending;
  const rules = [...Object.values(lost), ...Object.values(regained ?? {})].flat();
  // ids: auth.<ended>-while-in-use-is-<status>, auth.<what>-is-checked-each-time,
  //   auth.machine-token-of-<whom>-is-refused
  // auth.revoked-while-in-use: A credential that worked is refused, with 401 or with 403, once it was
  //   revoked.
  // auth.expires-while-in-use: A credential that worked is answered with 401 once it has expired.
  // auth.api-key-expires: An API key is answered with 401 once its chosen expiry has passed.
  // auth.machine-token-expires: A machine token works only until it expires.
  // auth.no-access-is-403: An agent that is known but may not access a channel gets a 403 there, or the 404 of
  //   one that is not there, and any refusal for a file or a report.
  // mentions.membership-rechecked: An agent that lost its membership is refused on its next request, and let in again once
  //   it has it back.
  // auth.machine-lifecycle: The token of a machine that is no longer active opens nothing.
  // auth.machine-membership: The token of a machine whose human lost the membership opens nothing.
  return check(
    `auth.${slug}`,
    {
      title,
      clauses: [...new Set(rules.map(([clause]) => clause))],
      arranges: meanwhile,
      needs: ['provision-hook', end === 'revoked' || end === 'expired' ? hooks[end] : 'deactivate-hook'],
    },
    (context) => seeEnded(context, ending),
  );
}
