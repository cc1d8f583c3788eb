import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import { unmet } from '../../harness/verdict/outcome.ts';
import { judgeTargets, showsTarget } from '../../oracles/messages/targets.ts';
import { firstAgents, requireAccepted, requireEffect } from '../arrange/send/accepted-sends.ts';
import { seekListed } from '../arrange/mentions/listed.ts';
import { sharedPrincipal } from '../arrange/mentions/shared-principals.ts';
import { attachedIds } from '../arrange/message/files.ts';
import { requireTargets } from '../arrange/send/proof.ts';

/** As many targets, and as many files, as a message has room for. */
const mostOfEach = 20;

/** Messages with as much as they may carry. */
export const fullestMessageChecks: readonly Check[] = [
  // message.mentions.captured: The targets given with a send are the ones that the message shows.
  check(
    'message.shows-and-reaches-twenty-targets',
    {
      title: 'a message that names twenty agents shows all of them, and each finds it among its mentions',
      clauses: ['message.mentions.captured', 'mentions.matches-agent-target'],
      needs: ['provision-hook', 'mentions-binding'],
    },
    async ({ bindings, clock, draft, expect, provision, settleMs }) => {
      const fresh = await provision({ agents: mostOfEach, isShared: true });
      const agents = firstAgents(fresh, mostOfEach);
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
      requireAccepted(sent);
      const item = await fresh.channel.arrival(toAll);
      requireTargets(item);
      const isShown = named.some((target) => showsTarget(item.message['mentions'], target));
      requireEffect(bindings, 'mentions', isShown, sent);
      expect.judgement('message.mentions.captured', judgeTargets(named, item.message['mentions']), sent);

      const listings = await Promise.all(
        feeds.map((feed, index) => seekListed({ settleMs, clock }, feed, from[index], [item])),
      );
      const isListed = listings.map(({ found }) => found[0] !== undefined);
      const unsure = listings.find(({ isWhole }, index) => isListed[index] === false && !isWhole);
      if (unsure !== undefined) unmet('a feed could not be read to its end', unsure.exchanges[0]);
      const absent = isListed.flatMap((is, index) => (is ? [] : [index + 1]));
      const [unlisted] = absent.flatMap((number) => agents[number - 1] ?? []);
      const shared = unlisted && (await sharedPrincipal(fresh.identities, author, unlisted));
      if (shared !== undefined)
        unmet(`agents of hooks.provision share their ${shared} with the author, which may count as itself`);
      const problem = {
        expected: 'the message among the mentions of all twenty agents',
        actual: `it is absent for number ${absent.join(', ')}`,
      };
      const evidence = (listings[(absent[0] ?? 1) - 1] ?? { exchanges: [] }).exchanges.slice(0, 3);
      expect.holds('mentions.matches-agent-target', absent.length === 0, problem, sent, ...evidence);
    },
  ),
  // message.attachments.captured: The files given with a send are the ones that the message shows.
  check(
    'message.shows-twenty-files',
    {
      title: 'a message that twenty files were attached to shows all of them',
      clauses: ['message.attachments.captured'],
      needs: ['author', 'channel', 'attachments-binding', 'files'],
    },
    async ({ author, bindings, channel, draft, expect, readyFiles }) => {
      const ids = await readyFiles(mostOfEach);
      const full = draft();
      const sent = await author.send(channel.id, full.text, { fields: { [bindings.attachments]: ids } });
      requireAccepted(sent);
      const shown = attachedIds(await channel.arrival(full));
      const isShown = shown.some((id) => ids.includes(id));
      requireEffect(bindings, 'attachments', isShown);
      expect.equal('message.attachments.captured', 'file ids', shown.toSorted(), ids.toSorted(), sent);
    },
  ),
];
