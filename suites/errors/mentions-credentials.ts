import { listChannels } from '../../calls/index.ts';
import { isAccepted, statusOf } from '../../harness/client/exchange.ts';
import type { Exchange } from '../../harness/client/exchange.ts';
import type { ClauseId } from '../../spec/index.ts';
import { isRecord } from '../../harness/stream/page.ts';
import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import { given, unmet } from '../../harness/verdict/outcome.ts';
import { askAll, expectOfAll, openForms } from '../arrange/auth/asked-forms.ts';
import type { Asked } from '../arrange/auth/asked-forms.ts';
import { requireLetIn, requireKnown, requireService } from '../arrange/auth/closed-call.ts';
import { credentialFaults, ofRole, refusalWord } from '../arrange/auth/credential-faults.ts';
import type { CredentialFault } from '../arrange/auth/credential-faults.ts';
import { channelReadCall, mentionsCall, needsOf } from '../arrange/auth/guarded-calls.ts';

/** The 401 and the 403 of the status table of the mentions call. */
export const mentionsCredentialChecks: readonly Check[] = [
  ...credentialFaults.flatMap((fault) =>
    fault.mentionsClause === undefined ? [] : mentionsCredentialCheck(fault, fault.mentionsClause),
  ),
  // errors.mentions-no-access-is-403: The mentions call of an agent that may not access the workspace is
  //   answered with 403.
  check(
    'errors.mentions-without-access-is-403',
    {
      title: 'the mentions call answers an agent without access with 403',
      clauses: ['errors.mentions-no-access-is-403'],
      needs: needsOf(channelReadCall, 'outsider', 'author'),
      needsMemory: true,
      isReadOnly: true,
    },
    async (context) => {
      const { outsider, channel, observe } = context;
      const [, elsewhere, forms] = await Promise.all([
        requireKnown(outsider, channel.id),
        outsider.readChannel(channel.id, { after: 0, limit: 1 }),
        openForms(context, mentionsCall),
      ]);
      const [{ control }] = forms;
      if (control !== undefined) requireLetIn(control, 'author');
      const refused = await askAll(context, mentionsCall, forms, [ofRole('outsider', 'without access')]);
      observe('errors.codes', 'mentions-without-access', codeIn(refused[0]?.exchange));
      requirePeculiar(refused, elsewhere, [403, 404]);
      expectOfAll(context, 'errors.mentions-no-access-is-403', refused, [403]);
    },
  ),
];

function mentionsCredentialCheck(fault: CredentialFault, clause: ClauseId): Check {
  const statuses = fault.inferred === undefined ? [401] : fault.statuses;
  // ids: errors.mentions-<fault>-is-<status>
  // fault: suites/arrange/auth/credential-faults.ts
  // errors.mentions-missing-credential-is-401: The mentions call without a credential is answered with 401.
  // errors.mentions-malformed-credential-is-401: The mentions call with something other than a bearer
  //   credential is answered with 401.
  // errors.mentions-unknown-credential-is-401: The mentions call with a credential that was never issued is
  //   answered with 401.
  // errors.mentions-expired-credential-is-401: The mentions call with an expired credential is answered with
  //   401.
  // errors.mentions-revoked-credential-is-refused: The mentions call with a revoked credential is answered
  //   with 401 or 403.
  return check(
    `errors.mentions-${fault.slug}-is-${refusalWord(statuses)}`,
    {
      title: `the mentions call is answered with ${statuses.join(' or ')} ${fault.words}`,
      clauses: [clause, ...(fault.inferred === undefined ? [] : [fault.inferred.mentionsClause])],
      needs: needsOf(mentionsCall, ...fault.needs),
      needsMemory: true,
      isReadOnly: true,
    },
    async (context) => {
      const forms = await openForms(context, mentionsCall);
      const [{ control, place, holder }] = forms;
      if (control !== undefined) requireLetIn(control, 'author');
      const [kind] = fault.kinds;
      const speak = kind?.speaker({ anonymous: context.anonymous, place, holder });
      const [elsewhere, refused] = await Promise.all([
        speak?.(listChannels()),
        askAll(context, mentionsCall, forms, fault.kinds),
      ]);
      given(elsewhere !== undefined && refused.length > 0, 'the target has no such credential');
      context.observe('errors.codes', `mentions-${fault.slug}`, codeIn(refused[0]?.exchange));
      if (control === undefined) for (const { exchange } of refused) requireService(exchange);
      requirePeculiar(refused, elsewhere, fault.statuses);
      expectOfAll(context, clause, refused, statuses);
      if (fault.inferred !== undefined) expectOfAll(context, fault.inferred.mentionsClause, refused, [401]);
    },
  );
}

/**
 * Ends the check when another call goes wrong in the same way: the clause about all calls then names it. `right` are the
 * statuses that are not wrong there.
 */
function requirePeculiar(refused: readonly Asked[], elsewhere: Exchange, right: readonly number[]): void {
  for (const { exchange } of refused) {
    const status = statusOf(exchange);
    const isCommon = status === statusOf(elsewhere) || (isAccepted(exchange) && isAccepted(elsewhere));
    if (status !== undefined && !right.includes(status) && isCommon)
      unmet(`not peculiar to the mentions call: another is answered with ${status} as well`, elsewhere);
  }
}

function codeIn(exchange: Exchange | undefined): string {
  const response = exchange?.response;
  const error = isRecord(response?.json) ? response.json['error'] : undefined;
  return isRecord(error) && typeof error['code'] === 'string' ? error['code'] : 'none';
}
