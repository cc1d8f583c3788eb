import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import { seeClosed } from '../arrange/auth/closed-call.ts';
import { refusedCredentials } from '../arrange/auth/access-matrix.ts';
import { refusalWord } from '../arrange/auth/credential-faults.ts';
import type { CredentialFault } from '../arrange/auth/credential-faults.ts';
import { expectOfAll } from '../arrange/auth/asked-forms.ts';
import { clausesOfRefusal, isRead, needsOf } from '../arrange/auth/guarded-calls.ts';
import type { GuardedCall } from '../arrange/auth/guarded-calls.ts';

/** Every call with every invalid credential, but those of which the mentions call has clauses of its own. */
export const refusedCredentialChecks: readonly Check[] = refusedCredentials.map(([call, fault]) =>
  refusedCredentialCheck(call, fault),
);

function refusedCredentialCheck(call: GuardedCall, fault: CredentialFault): Check {
  // ids: auth.<call>-<fault>-is-<status>
  // call: suites/arrange/auth/guarded-calls.ts
  // fault: suites/arrange/auth/credential-faults.ts
  // auth.missing-credential: Outside discovery, a call without a credential is answered with 401.
  // auth.malformed-credential: A call with an authorization header that holds no bearer credential is
  //   answered with 401, or with 400 or 422 for its form.
  // auth.unknown-credential: A call with a bearer credential that was never issued is answered with 401.
  // auth.respelled-credential: A call with a token in the other letter case, or that begins with another character, is answered with
  //   401.
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
        kinds: fault.kinds,
        unknown: fault.unknown,
        judge: (refused) => {
          expectOfAll(context, fault.clause, refused, fault.statuses);
          if (fault.inferred !== undefined) expectOfAll(context, fault.inferred.clause, refused, [401]);
        },
      }),
  );
}
