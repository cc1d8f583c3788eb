import { check, type Check } from '../../harness/check/check.ts';
import { isAccepted } from '../../harness/client/exchange.ts';
import { findIn } from '../../harness/stream/stream-view.ts';
import { given } from '../../harness/verdict/outcome.ts';
import { showsTarget } from '../../spec/oracles/messages/targets.ts';
import { judgeEach } from '../../spec/oracles/values/judgement.ts';
import { lastAgents, readOn, requireAccepted, requireEffect } from '../arrange/send/accepted-sends.ts';

/** Of each message: one less than it has room for, so that no round number of targets ends between two messages. */
const targetsOfAMessage = 19;
/** Of one page: a round number that a query for the targets of a page may end at. A page holds more. */
const mostOfAPage = 1_000;

/** Messages of a page with so few authors that a query for them does not end before. */
const fewAuthors = 25;

/** Pages with many targets. */
export const targetPageChecks: readonly Check[] = [
  // message.mentions.captured: The targets given with a send are the ones that the message shows.
  check(
    'message.page-of-a-thousand-targets-shows-all',
    {
      title:
        'messages of many agents that show nineteen targets each by itself show them, and their authors, on every page of over a thousand targets, in their channel or among mentions',
      clauses: ['message.mentions.captured'],
      arranges: ['message.author.immutable'],
      needs: ['provision-hook', 'mentions-binding'],
    },
    async (context) => {
      const { bindings, draft, expect, provision } = context;
      const fresh = await provision({ agents: targetsOfAMessage, isShared: true });
      const agents = lastAgents(fresh, targetsOfAMessage);
      const named = await Promise.all(
        agents.map(async (agent) => ({ kind: 'agent', id: await fresh.identities.agentId(agent) })),
      );
      const [reader] = agents;
      given(reader !== undefined, 'hooks.provision made no agents');
      const author = fresh.actor('author');
      const feed = await fresh.feedOf(reader, author);
      const views = [
        { view: fresh.channel, from: await fresh.channel.since() },
        { view: feed, from: await feed.since() },
      ];
      const drafts = Array.from({ length: Math.ceil(mostOfAPage / named.length) }, () => draft());
      const fields = { [bindings.mentions]: named };
      const speakers = [...fresh.agents.slice(0, -targetsOfAMessage), author];
      const sent = await Promise.all(
        drafts.map(async ({ text }, at) => {
          const speaker = speakers[at % speakers.length] ?? author;
          const told = await speaker.send(fresh.channel.id, text, { fields });
          // Whether whoever is added may send is another question.
          return isAccepted(told) ? told : author.send(fresh.channel.id, text, { fields });
        }),
      );
      requireAccepted(...sent);
      const [first] = await fresh.channel.arrivals(drafts);
      const alone = await fresh.channel.readPage((first?.sequence ?? 1n) - 1n, 1);
      const shownAlone = alone.items[0]?.message['mentions'];
      const isShown = named.some((target) => showsTarget(shownAlone, target));
      requireEffect(bindings, 'mentions', isShown, sent[0]);
      const isWhole = named.every((target) => showsTarget(shownAlone, target));
      given(isWhole, 'a message lacks some of its targets where it is read by itself', alone.exchange);
      const walks = await Promise.all(views.map(({ view, from }) => readOn(view, from)));
      // A short page has fewer authors: history/judges/identity.ts holds it against the long ones.
      await fresh.channel.walk(views[0]?.from, { limit: fewAuthors });
      const pages = walks
        .flatMap(({ pages }) => pages)
        .map(({ exchange, items }) => ({
          exchange,
          // A view may leave out the targets of a message.
          lists: drafts.map((own) => findIn(items, own)?.message['mentions']).filter(Array.isArray),
        }))
        .filter(({ lists }) => lists.length * named.length > mostOfAPage);
      given(pages.length > 0, `no page shows messages with more than ${mostOfAPage} targets`);
      for (const { exchange, lists } of pages) {
        const judgement = judgeEach(lists, (shown) => {
          const lost = named.filter((target) => !showsTarget(shown, target)).length;
          if (lost === 0) return undefined;
          return {
            expected: `the ${named.length} targets of a message`,
            actual: `${lost} of them are not there`,
          };
        });
        expect.judgement('message.mentions.captured', judgement, exchange);
      }
    },
  ),
];
