import type { JsonRecord } from '../../spec/calls/index.ts';
import { respelledNames } from '../../generators/texts/respelled-names.ts';
import { check, type Check } from '../../harness/check/check.ts';
import { isAccepted, isRefusal, isRefusedAsInvalid } from '../../harness/client/exchange.ts';
import { principalsOf } from '../../harness/stream/identities.ts';
import { describeAnswer, given, unmet } from '../../harness/verdict/outcome.ts';
import { judgeTargets, showsTarget } from '../../spec/oracles/messages/targets.ts';
import { seekListed } from '../arrange/mentions/listed.ts';
import { requireTarget } from '../arrange/mentions/mentioning.ts';
import { expectAllTaken, tryEach } from '../arrange/mentions/taken.ts';
import { sharedPrincipal } from '../arrange/mentions/shared-principals.ts';
import {
  lastAgents,
  requireAccepted,
  requireAnswered,
  requireEffect,
  requireRefused,
} from '../arrange/send/accepted-sends.ts';
import { agentTarget, requireTargets, sendMentioning } from '../arrange/send/proof.ts';

/** As many targets as a message has room for. */
const most = 20;

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
      const { mentions, sent, shownBy } = await sendMentioning(context, reader, targets);
      requireTargets(mentions);
      expect.judgement('message.mentions.captured', judgeTargets(targets, mentions), sent, shownBy);

      const repeated = draft();
      const fields = { [bindings.mentions]: [agent, agent] };
      const twice = await author.send(channel.id, repeated.text, { fields });
      requireAnswered(twice);
      if (!isAccepted(twice))
        return observe('message.mentions.order-and-repeats', 'one target named twice', describeAnswer(twice));
      const { message, exchange } = await channel.arrival(repeated);
      const shown = message['mentions'];
      if (shown === undefined || shown === null) return;
      expect.judgement('message.mentions.captured', judgeTargets([agent], shown), twice, exchange);
      const times = Array.isArray(shown) ? shown.length : 0;
      observe(
        'message.mentions.order-and-repeats',
        'one target named twice',
        times === 1 ? 'shown once' : `shown ${times} times`,
      );
    },
  ),
  // message.mentions.every-kind-is-taken: A send that may name one agent of its workspace may name each
  //   other, and its human and its machine.
  check(
    'message.targets-of-every-kind-are-taken',
    {
      title: 'a server that takes one of an agent, its human and its machine as a target takes the others',
      clauses: ['message.mentions.every-kind-is-taken'],
      needs: ['author', 'reader', 'channel', 'mentions-binding'],
    },
    async (context) => {
      const { author, channel, identities, reader } = context;
      const targets = principalsOf(await identities.provenance(reader));
      given(
        targets.length > 1,
        'messages of the reader show neither its human nor its machine: an agent that has both can be roles.reader',
      );
      const where = { from: author, channelId: channel.id };
      const taken = expectAllTaken(context, await tryEach(context, where, targets));
      requireTarget(await channel.arrival(taken.message), taken.target);
    },
  ),
  // message.mentions.captured: The targets given with a send are the ones that the message shows.
  check(
    'message.shows-and-reaches-twenty-targets',
    {
      title:
        'a message that names the last twenty agents that came to a large workspace shows all of them, and each finds it among its mentions',
      clauses: [
        'message.mentions.captured',
        'message.mentions.every-kind-is-taken',
        'mentions.matches-agent-target',
        'send.parts-go-together',
      ],
      needs: ['provision-hook', 'mentions-binding'],
    },
    async (context) => {
      const { bindings, clock, draft, expect, provision, settleMs } = context;
      const fresh = await provision({ agents: most, isShared: true });
      const agents = lastAgents(fresh, most);
      const author = fresh.actor('author');
      const named = await Promise.all(
        agents.map(async (agent) => ({ kind: 'agent', id: await fresh.identities.agentId(agent) })),
      );
      const feeds = await Promise.all(agents.map((agent) => fresh.feedOf(agent, author)));
      const from = await Promise.all(feeds.map((feed) => feed.since()));
      const toAll = draft();
      const sent = await author.send(fresh.channel.id, toAll.text, {
        fields: { [bindings.mentions]: named },
      });
      const tryAlone = async () => {
        const reader = await agentTarget(fresh, fresh.actor('reader'));
        return tryEach(context, { from: author, channelId: fresh.channel.id }, [reader, ...named]);
      };
      const taken = named.map((target) => ({ target, isTaken: true, sent }));
      const tried = isRefusal(sent) ? await tryAlone() : taken;
      if (isAccepted(sent) || isRefusal(sent)) expectAllTaken(context, tried);
      if (isAccepted(sent) || (isRefusedAsInvalid(sent) && tried.every(({ isTaken }) => isTaken)))
        expect('send.parts-go-together', sent, 'with twenty targets').toBeAccepted();
      requireAccepted(sent);
      const item = await fresh.channel.arrival(toAll);
      requireTargets(item.message['mentions']);
      const isShown = named.some((target) => showsTarget(item.message['mentions'], target));
      requireEffect(bindings, 'mentions', isShown, sent);
      const shown = judgeTargets(named, item.message['mentions']);
      expect.judgement('message.mentions.captured', shown, sent, item.exchange);

      const listings = await Promise.all(
        feeds.map((feed, index) => seekListed({ settleMs, clock }, feed, from[index], [item])),
      );
      const isListed = listings.map(({ found }) => found[0] !== undefined);
      const unsure = listings.find(({ isWhole }, index) => isListed[index] === false && !isWhole);
      if (unsure !== undefined) unmet('a feed could not be read to its end', unsure.exchanges[0]);
      const absent = isListed.flatMap((is, index) => (is ? [] : [index]));
      const [at = 0] = absent;
      const unlisted = absent.length === 0 ? undefined : agents[at];
      const shared = unlisted && (await sharedPrincipal(fresh.identities, author, unlisted));
      if (shared !== undefined)
        unmet(`agents of hooks.provision share their ${shared} with the author, which may count as itself`);
      const feed = feeds[at];
      if (unlisted !== undefined && feed !== undefined) {
        // What is missing behind all that is listed may be late; beside one that was sent after it, it is left out.
        const later = draft();
        const reader = fresh.actor('reader');
        const others = await fresh.feedOf(reader, author);
        const since = await others.since();
        const targets = [...named.slice(at, at + 1), await agentTarget(fresh, reader)];
        const fields = { [bindings.mentions]: targets };
        requireAccepted(await author.send(fresh.channel.id, later.text, { fields }));
        const beside = await fresh.channel.arrival(later);
        const { found } = await seekListed({ settleMs, clock }, feed, from[at], [item, beside]);
        // One whom nothing reaches is shown so by another who is named with it.
        const isListedLater =
          found[1] ?? (await seekListed({ settleMs, clock }, others, since, [beside])).found[0];
        if (found[0] !== undefined || isListedLater === undefined)
          unmet('mentions are listed late, or only at times', sent);
      }
      const problem = {
        expected: 'the message among the mentions of all twenty agents',
        actual: `it is absent for number ${absent.map((index) => index + 1).join(', ')}`,
      };
      const evidence = (listings[at] ?? { exchanges: [] }).exchanges.slice(0, 3);
      expect.holds('mentions.matches-agent-target', absent.length === 0, problem, sent, ...evidence);
    },
  ),
  // message.mentions.validated: A send with a mention target whose id is not a UUID is refused.
  check(
    'message.target-without-a-uuid-is-refused',
    {
      title:
        'a send with a target whose id is not a UUID, or that has a field too many, is refused and stored nowhere',
      clauses: [
        'message.mentions.validated',
        'mention-target.extra-fields-are-refused',
        'send.refused-stores-nothing',
      ],
      needs: ['author', 'reader', 'channel', 'mentions-binding'],
    },
    async (context) => {
      const { author, bindings, channel, draft, expect, reader } = context;
      const { kind, id } = await agentTarget(context, reader);
      await sendMentioning(context, reader, [{ kind, id }]);
      const refused = draft();
      const send = (target: JsonRecord) =>
        author.send(channel.id, refused.text, { fields: { [bindings.mentions]: [target] } });
      const sent = await send({ kind, id: `${id.slice(0, -1)}g` });
      expect('message.mentions.validated', sent).toBeRefused();
      // Beside what they may be taken for they have the same value: it makes no difference which of both is read.
      const respelled = Object.entries({ kind, id }).flatMap(([name, value]) =>
        respelledNames(name).flatMap((other) => [
          { kind, id, [other]: value },
          { ...(name === 'id' ? { kind } : { id }), [other]: value },
        ]),
      );
      const answers = await Promise.all([{ kind, id, name: 'someone' }, ...respelled].map(send));
      for (const answer of answers) expect('mention-target.extra-fields-are-refused', answer).toBeRefused();
      requireRefused(sent, ...answers);
      await expect.stream('send.refused-stores-nothing', channel).toNeverShow(refused);
    },
  ),
];
