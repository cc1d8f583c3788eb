import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import { askAll, expectOfAll, isRefusedForMore, openForms } from '../arrange/auth/asked-forms.ts';
import { ofRole } from '../arrange/auth/credential-faults.ts';
import { showsChannel } from '../arrange/auth/ended-access.ts';
import { expectNoChannel, seeAccessLostAndRegained } from '../arrange/auth/lost-access.ts';
import { channelCalls } from '../arrange/auth/access-matrix.ts';
import { isAccepted } from '../../harness/client/exchange.ts';
import { given } from '../../harness/verdict/outcome.ts';
import { requireLetIn, requireKnown, seeClosed } from '../arrange/auth/closed-call.ts';
import {
  channelsListCall,
  clausesOfRefusal,
  isRead,
  needsOf,
  otherAgentCalls,
} from '../arrange/auth/guarded-calls.ts';
import type { GuardedCall } from '../arrange/auth/guarded-calls.ts';

const outsiders = ofRole('outsider', 'as an agent without access');

export const noAccessChecks: readonly Check[] = [
  ...channelCalls.flatMap((call) => [outsiderCheck(call), strangerCheck(call)]),
  // auth.no-access-lists-no-channel: The list of channels shows an agent without access to a workspace none of
  //   its channels.
  check(
    'auth.no-access-shows-no-channels',
    {
      title: 'the list of channels shows an agent without access to a workspace none of its channels',
      clauses: ['auth.no-access-lists-no-channel'],
      needs: needsOf(channelsListCall, 'outsider', 'author', 'channel'),
      needsMemory: true,
      isReadOnly: true,
    },
    async (context) => {
      const { author, outsider, channel } = context;
      const [, closed, known] = await Promise.all([
        requireKnown(outsider, channel.id),
        outsider.readChannel(channel.id, { after: 0, limit: 1 }),
        author.channels(),
      ]);
      given(!isAccepted(closed), 'an agent without access reads the channel', closed);
      given(
        showsChannel(known, channel.id),
        'the list does not show the channel to the author either',
        known,
      );
      const forms = await openForms(context, channelsListCall);
      const listed = await askAll(context, channelsListCall, forms, [outsiders]);
      expectNoChannel(context, listed, channel.id);
    },
  ),
  // auth.no-access-is-403: An agent that is known but may not access a channel is answered with 403, or with
  //   the 404 of one that is not there.
  check(
    'auth.access-is-checked-each-time',
    {
      title: 'every call is closed to an agent once it lost its access, and open when it has it again',
      clauses: ['auth.no-access-is-403', 'auth.no-access-lists-no-channel', 'auth.access-comes-back'],
      needs: ['provision-hook', 'deactivate-hook'],
    },
    async (context) => {
      // Whether one that lost its access still authenticates is the server's choice.
      await seeAccessLostAndRegained(context, {
        calls: otherAgentCalls,
        statuses: [401, 403, 404],
        control: (agent) => agent.mentions({ limit: 1 }),
      });
    },
  ),
];

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
        kinds: [outsiders],
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
