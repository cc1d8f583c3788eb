import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import { expectOfAll, isRefusedForMore } from '../arrange/auth/asked-forms.ts';
import { ofRole } from '../arrange/auth/credential-faults.ts';
import { requireLetIn, requireKnown, seeClosed } from '../arrange/auth/closed-call.ts';
import {
  channelReadCall,
  clausesOfRefusal,
  isRead,
  needsOf,
  receiptsListCall,
  sendCall,
} from '../arrange/auth/guarded-calls.ts';
import type { GuardedCall } from '../arrange/auth/guarded-calls.ts';

export const noAccessChecks: readonly Check[] = [channelReadCall, sendCall, receiptsListCall].flatMap(
  (call) => [outsiderCheck(call), strangerCheck(call)],
);

function outsiderCheck(call: GuardedCall): Check {
  // ids: auth.no-access-to-channel-read-is-403, auth.no-access-to-send-is-403,
  //   auth.no-access-to-receipts-list-is-403
  // auth.no-access-is-403: An agent that is known but may not access a channel is answered with 403, or with
  //   the 404 of one that is not there.
  return check(
    `auth.no-access-to-${call.slug}-is-403`,
    {
      title: `the ${call.slug} call answers an agent without access with 403`,
      clauses: ['auth.no-access-is-403', 'auth.no-access-is-not-hidden', ...clausesOfRefusal(call)],
      needs: needsOf(call, 'outsider'),
      isReadOnly: isRead(call),
    },
    async (context) => {
      const { outsider, channel } = context;
      await requireKnown(outsider, channel.id);
      await seeClosed(context, call, {
        kinds: [ofRole('outsider', 'as an agent without access')],
        judge: (all) => {
          const refused = all.filter((each) => !isRefusedForMore(each));
          expectOfAll(context, 'auth.no-access-is-403', refused, [403, 404]);
          expectOfAll(context, 'auth.no-access-is-not-hidden', refused, [403]);
        },
      });
    },
  );
}

function strangerCheck(call: GuardedCall): Check {
  // ids: auth.agent-of-another-workspace-does-not-open-channel-read,
  //   auth.agent-of-another-workspace-does-not-open-send,
  //   auth.agent-of-another-workspace-does-not-open-receipts-list
  // auth.other-workspace-refused: An agent of another workspace can neither read from nor send to a channel
  //   of this one.
  return check(
    `auth.agent-of-another-workspace-does-not-open-${call.slug}`,
    {
      title: `the ${call.slug} call is closed to an agent of another workspace`,
      clauses: ['auth.other-workspace-refused', ...clausesOfRefusal(call)],
      needs: needsOf(call, 'stranger'),
      isReadOnly: isRead(call),
    },
    async (context) => {
      const { stranger } = context;
      requireLetIn(await stranger.mentions({ limit: 1 }), 'stranger in its own workspace');
      await seeClosed(context, call, {
        kinds: [ofRole('stranger', 'as an agent of another workspace')],
        judge: (refused) => expectOfAll(context, 'auth.other-workspace-refused', refused, 'refused'),
      });
    },
  );
}
