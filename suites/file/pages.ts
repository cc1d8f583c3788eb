import { check, type Check } from '../../harness/check/check.ts';
import { type Exchange, isAccepted } from '../../harness/client/exchange.ts';
import type { PageItem } from '../../harness/stream/page.ts';
import { type Draft, findIn } from '../../harness/stream/stream-view.ts';
import { given } from '../../harness/verdict/outcome.ts';
import { fileAmong } from '../../spec/oracles/messages/files.ts';
import { judgeEach, type Problem } from '../../spec/oracles/values/judgement.ts';
import { uploadFor } from '../arrange/message/files.ts';
import { readOn, requireAccepted, requireEffect } from '../arrange/send/accepted-sends.ts';

/** Files of one message at most. */
const mostOfAMessage = 20;
/** Of a few messages: more than a round number that a query for the files of a page may end at. */
const mostOfAPage = 51;
/** Files beyond those that other checks want are made where that takes no longer than this, in ms. */
const cheapMs = 5_000;

/** Of each of many messages: one less than it has room for, so that no round number of files ends between two messages. */
const filesOfEach = 19;
/** Of many messages: another round number that such a query may end at. A page holds more. */
const mostOfMany = 1_000;

/** Pages with many files. */
export const filePageChecks: readonly Check[] = [
  // message.attachments.captured: The files given with a send are the ones that the message shows.
  check(
    'file.page-of-fifty-files-shows-all',
    {
      title: 'messages that show more than fifty different files each by itself show them on one page',
      clauses: ['message.attachments.captured'],
      needs: ['author', 'channel', 'attachments-binding', 'files'],
    },
    async (context) => {
      const { author, bindings, channel, draft, expect, readyFiles } = context;
      await readyFiles(mostOfAMessage);
      const all = await readyFiles(mostOfAPage, cheapMs);
      const from = await channel.since();
      const messages = Array.from({ length: Math.ceil(mostOfAPage / mostOfAMessage) }, (_, at) => ({
        ids: all.slice(at * mostOfAMessage, (at + 1) * mostOfAMessage),
        own: draft(),
      }));
      const sent = await Promise.all(
        messages.map(({ own, ids }) =>
          author.send(channel.id, own.text, { fields: { [bindings.attachments]: ids } }),
        ),
      );
      requireAccepted(...sent);
      const arrived = await channel.arrivals(messages.map(({ own }) => own));
      const lone = await Promise.all(arrived.map(({ sequence = 1n }) => channel.readPage(sequence - 1n, 1)));
      const lost = messages.map(({ own, ids }, at) => lostOf(ids, own, lone[at]?.items ?? []));
      const isAnyShown = messages.some(({ ids }, at) => (lost[at] ?? 0) < ids.length);
      requireEffect(bindings, 'attachments', isAnyShown, sent[0]);
      const short = lone.find((_page, at) => lost[at] !== 0)?.exchange;
      given(short === undefined, 'a message lacks some of its files where it is read by itself', short);
      const { pages } = await readOn(channel, from);
      const crowded = pages.filter((page) => messages.every(({ own }) => findIn(page.items, own)));
      given(crowded.length > 0, 'no page shows all the messages with these files');
      for (const page of crowded) {
        // A view may leave out all files of a message; one that shows some of them shows all.
        const showing = messages.filter(({ own }) => shownOf(own, page.items) !== undefined);
        const judgement = judgeEach(showing, ({ own, ids }) => problemOf(ids, own, page.items));
        expect.judgement('message.attachments.captured', judgement, page.exchange);
      }
    },
  ),
  // message.attachments.captured: The files given with a send are the ones that the message shows.
  check(
    'file.page-of-a-thousand-files-shows-all',
    {
      title:
        'messages that show nineteen files each by itself show them on every page of over a thousand files, in their channel or among mentions',
      clauses: ['message.attachments.captured'],
      needs: ['provision-hook', 'file-hook', 'attachments-binding'],
    },
    async (context) => {
      const { bindings, draft, expect, provision } = context;
      const fresh = await provision({ isShared: true });
      const { channel } = fresh;
      const [author, reader] = [fresh.actor('author'), fresh.actor('reader')];
      const feed = await fresh.feedOf(reader, author);
      const views = [
        { view: channel, from: await channel.since() },
        { view: feed, from: await feed.since() },
      ];
      const ids = await uploadFor(author, context, filesOfEach);
      const attached = { [bindings.attachments]: ids };
      const named = { [bindings.mentions]: [{ kind: 'agent', id: await fresh.identities.agentId(reader) }] };
      const drafts = Array.from({ length: Math.ceil(mostOfMany / filesOfEach) }, () => draft());
      const send = async ({ text }: Draft): Promise<Exchange> => {
        const told = await author.send(channel.id, text, { fields: { ...attached, ...named } });
        // Where no targets are taken, it names nobody.
        return isAccepted(told) ? told : author.send(channel.id, text, { fields: attached });
      };
      const sent = await Promise.all(drafts.map(send));
      requireAccepted(...sent);
      const [first] = await channel.arrivals(drafts);
      const alone = await channel.readPage((first?.sequence ?? 1n) - 1n, 1);
      const shownAlone = alone.items[0]?.message['attachments'];
      const isShown = (id: string): boolean => fileAmong(shownAlone, id) !== undefined;
      requireEffect(bindings, 'attachments', ids.some(isShown), sent[0]);
      given(
        ids.every(isShown),
        'a message lacks some of its files where it is read by itself',
        alone.exchange,
      );
      const walks = await Promise.all(views.map(({ view, from }) => readOn(view, from)));
      const pages = walks
        .flatMap((walk) => walk.pages)
        .map(({ exchange, items }) => ({
          exchange,
          items,
          // A view may leave out all files of a message.
          showing: drafts.filter((own) => Array.isArray(shownOf(own, items))),
        }))
        .filter(({ showing }) => showing.length * ids.length > mostOfMany);
      given(pages.length > 0, `no page shows messages with more than ${mostOfMany} files`);
      for (const { exchange, items, showing } of pages)
        expect.judgement(
          'message.attachments.captured',
          judgeEach(showing, (own) => problemOf(ids, own, items)),
          exchange,
        );
    },
  ),
];

/** What is wrong with the files that a message shows, as it is among some items. */
function problemOf(ids: readonly string[], own: Draft, items: readonly PageItem[]): Problem | undefined {
  const lost = lostOf(ids, own, items);
  if (lost === 0) return undefined;
  return { expected: `the ${ids.length} files of a message`, actual: `${lost} of them are not there` };
}

/** How many of these files a message does not show, as it is among some items. */
function lostOf(ids: readonly string[], own: Draft, items: readonly PageItem[]): number {
  const shown = shownOf(own, items);
  return ids.filter((id) => fileAmong(shown, id) === undefined).length;
}

function shownOf(own: Draft, items: readonly PageItem[]): unknown {
  return findIn(items, own)?.message['attachments'];
}
