import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import { requireLetIn, requireKnown, seeClosed } from '../arrange/auth/closed-call.ts';
import {
  channelReadCall,
  clausesOfRefusal,
  isRead,
  needsOf,
  sendCall,
} from '../arrange/auth/guarded-calls.ts';
import type { GuardedCall } from '../arrange/auth/guarded-calls.ts';

export const noAccessChecks: readonly Check[] = [channelReadCall, sendCall].flatMap((call) => [
  outsiderCheck(call),
  strangerCheck(call),
]);

function outsiderCheck(call: GuardedCall): Check {
  // ids: auth.no-access-to-channel-read-is-403, auth.no-access-to-send-is-403
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
      const { outsider, channel, expect } = context;
      await requireKnown(outsider, channel.id);
      await seeClosed(context, call, {
        ask: (request) => outsider.request(request),
        judge: (refused) => {
          expect('auth.no-access-is-403', refused).toHaveStatus(403, 404);
          expect('auth.no-access-is-not-hidden', refused).toHaveStatus(403);
        },
      });
    },
  );
}

function strangerCheck(call: GuardedCall): Check {
  // ids: auth.agent-of-another-workspace-does-not-open-channel-read,
  //   auth.agent-of-another-workspace-does-not-open-send
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
      const { stranger, expect } = context;
      requireLetIn(await stranger.mentions({ limit: 1 }), 'stranger in its own workspace');
      await seeClosed(context, call, {
        ask: (request) => stranger.request(request),
        judge: (refused) => expect('auth.other-workspace-refused', refused).toBeRefused(),
      });
    },
  );
}
