import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import { isAccepted } from '../../harness/client/exchange.ts';
import { describeAnswer } from '../../harness/verdict/outcome.ts';
import { judgeTargets } from '../../oracles/messages/targets.ts';
import { requireAnswered, requireRefused } from '../arrange/send/accepted-sends.ts';
import { agentTarget, requireTargets, sendMentioning } from '../arrange/send/proof.ts';

/** Whom a message mentions. */
export const messageMentionChecks: readonly Check[] = [
  // message.mentions.captured: The targets given with a send are the ones that the message shows.
  check(
    'message.shows-the-targets-it-was-sent-with',
    {
      title: 'a message shows the agent, the user and the machine that its send named, and nobody else',
      clauses: ['message.mentions.captured'],
      needs: ['author', 'reader', 'channel', 'mentions-binding'],
    },
    async (context) => {
      const { author, bindings, channel, draft, expect, identities, observe, reader } = context;
      const agent = await agentTarget(context, reader);
      const { humanUserId, machineId } = await identities.provenance(reader);
      const human = humanUserId === undefined ? [] : [{ kind: 'user', id: humanUserId }];
      const machine = machineId === undefined ? [] : [{ kind: 'machine', id: machineId }];
      const targets = [agent, ...human, ...machine] as const;
      const { item, sent } = await sendMentioning(context, reader, targets);
      requireTargets(item);
      expect.judgement('message.mentions.captured', judgeTargets(targets, item.message['mentions']), sent);

      const repeated = draft();
      const fields = { [bindings.mentions]: [agent, agent] };
      const twice = await author.send(channel.id, repeated.text, { fields });
      requireAnswered(twice);
      if (!isAccepted(twice))
        return observe('message.mentions.order-and-repeats', 'one target named twice', describeAnswer(twice));
      const shown = (await channel.arrival(repeated)).message['mentions'];
      expect.judgement('message.mentions.captured', judgeTargets([agent], shown), twice);
      const times = Array.isArray(shown) ? shown.length : 0;
      observe('message.mentions.order-and-repeats', 'one target named twice', `shown ${times} times`);
    },
  ),
  // message.mentions.validated: A send with a mention target whose id is not a UUID is refused.
  check(
    'message.target-without-a-uuid-is-refused',
    {
      title: 'a send with a target whose id is not a UUID is refused and stored nowhere',
      clauses: ['message.mentions.validated', 'send.refused-stores-nothing'],
      needs: ['author', 'reader', 'channel', 'mentions-binding'],
    },
    async (context) => {
      const { author, bindings, channel, draft, expect, reader } = context;
      const { kind, id } = await agentTarget(context, reader);
      await sendMentioning(context, reader, [{ kind, id }]);
      const refused = draft();
      const fields = { [bindings.mentions]: [{ kind, id: `${id.slice(0, -1)}g` }] };
      const sent = await author.send(channel.id, refused.text, { fields });
      expect('message.mentions.validated', sent).toBeRefused();
      requireRefused(sent);
      await expect.stream('send.refused-stores-nothing', channel).toNeverShow(refused);
    },
  ),
];
