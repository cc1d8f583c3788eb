import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import { seeClosed } from '../arrange/auth/closed-call.ts';
import { credentialFaults, refusalWord } from '../arrange/auth/credential-faults.ts';
import type { CredentialFault } from '../arrange/auth/credential-faults.ts';
import {
  clausesOfRefusal,
  isRead,
  needsOf,
  otherAgentCalls,
  overviewCall,
} from '../arrange/auth/guarded-calls.ts';
import type { GuardedCall } from '../arrange/auth/guarded-calls.ts';

/** Every call but the mentions call, which has clauses of its own, with every invalid credential. */
export const refusedCredentialChecks: readonly Check[] = [...otherAgentCalls, overviewCall].flatMap((call) =>
  credentialFaults
    .filter(({ isOfAgents }) => !isOfAgents || call.holder === 'author')
    .map((fault) => refusedCredentialCheck(call, fault)),
);

function refusedCredentialCheck(call: GuardedCall, fault: CredentialFault): Check {
  // ids: auth.<call>-<fault>-is-<status>
  // call: suites/arrange/auth/guarded-calls.ts
  // fault: suites/arrange/auth/credential-faults.ts
  // auth.missing-credential: Outside discovery, a call without a credential is answered with 401.
  // auth.malformed-credential: A call with an authorization header that holds no bearer credential is
  //   answered with 401, or with 400 or 422 for its form.
  // auth.unknown-credential: A call with a bearer credential that was never issued is answered with 401.
  // auth.expired-credential: A call with an expired credential is answered with 401.
  // auth.revoked-credential: A call with a revoked credential is refused, with 401 or with 403.
  return check(
    `auth.${call.slug}-${fault.slug}-is-${refusalWord(fault.statuses)}`,
    {
      title: `the ${call.slug} call is answered with ${fault.statuses.join(' or ')} ${fault.words}`,
      clauses: [
        fault.clause,
        ...(fault.inferred === undefined ? [] : [fault.inferred.clause]),
        ...clausesOfRefusal(call),
      ],
      needs: needsOf(call, ...fault.needs),
      isReadOnly: isRead(call),
    },
    (context) =>
      seeClosed(context, call, {
        ask: (request) => fault.ask(context, request, context.optional(call.holder)),
        judge: (refused) => {
          context.expect(fault.clause, refused).toHaveStatus(...fault.statuses);
          if (fault.inferred !== undefined) context.expect(fault.inferred.clause, refused).toHaveStatus(401);
        },
      }),
  );
}
