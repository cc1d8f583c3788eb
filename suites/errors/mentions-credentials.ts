import { isAccepted, statusOf } from '../../harness/client/exchange.ts';
import type { Exchange } from '../../harness/client/exchange.ts';
import { isRecord } from '../../harness/stream/page.ts';
import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import { unmet } from '../../harness/verdict/outcome.ts';
import { requireLetIn, requireKnown, requireService } from '../arrange/auth/closed-call.ts';
import { credentialFaults, refusalWord } from '../arrange/auth/credential-faults.ts';
import type { CredentialFault } from '../arrange/auth/credential-faults.ts';
import { channelReadCall, channelsListCall, mentionsCall, needsOf } from '../arrange/auth/guarded-calls.ts';

/** The 401 and the 403 of the status table of the mentions call. */
export const mentionsCredentialChecks: readonly Check[] = [
  ...credentialFaults.map(mentionsCredentialCheck),
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
    async ({ outsider, author, channel, expect, observe }) => {
      await requireKnown(outsider, channel.id);
      requireLetIn(await author.mentions({ limit: 1 }), 'author');
      const elsewhere = await outsider.readChannel(channel.id, { after: 0, limit: 1 });
      const refused = await outsider.mentions({ limit: 1 });
      observe('errors.codes', 'mentions-without-access', codeIn(refused));
      requirePeculiar(refused, elsewhere, [403, 404]);
      expect('errors.mentions-no-access-is-403', refused).toHaveStatus(403);
    },
  ),
];

function mentionsCredentialCheck(fault: CredentialFault): Check {
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
      clauses: [
        fault.mentionsClause,
        ...(fault.inferred === undefined ? [] : [fault.inferred.mentionsClause]),
      ],
      needs: needsOf(mentionsCall, ...fault.needs),
      needsMemory: true,
      isReadOnly: true,
    },
    async (context) => {
      const author = context.optional('author');
      const { request } = await mentionsCall.compose(context);
      if (author !== undefined) requireLetIn(await author.request(request), 'author');
      const channelsList = await channelsListCall.compose(context);
      const elsewhere = await fault.ask(context, channelsList.request, author);
      const refused = await fault.ask(context, request, author);
      context.observe('errors.codes', `mentions-${fault.slug}`, codeIn(refused));
      if (author === undefined) requireService(refused);
      requirePeculiar(refused, elsewhere, fault.statuses);
      context.expect(fault.mentionsClause, refused).toHaveStatus(...statuses);
      if (fault.inferred !== undefined)
        context.expect(fault.inferred.mentionsClause, refused).toHaveStatus(401);
    },
  );
}

/**
 * Ends the check when another call goes wrong in the same way: the clause about all calls then names it. `right` are the
 * statuses that are not wrong there.
 */
function requirePeculiar(refused: Exchange, elsewhere: Exchange, right: readonly number[]): void {
  const status = statusOf(refused);
  const isCommon = status === statusOf(elsewhere) || (isAccepted(refused) && isAccepted(elsewhere));
  if (status !== undefined && !right.includes(status) && isCommon) {
    unmet(`not peculiar to the mentions call: another is answered with ${status} as well`, elsewhere);
  }
}

function codeIn({ response }: Exchange): string {
  const error = isRecord(response?.json) ? response.json['error'] : undefined;
  return isRecord(error) && typeof error['code'] === 'string' ? error['code'] : 'none';
}
