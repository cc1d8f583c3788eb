import { check, type Check } from '../../harness/check/check.ts';
import type { PageItem } from '../../harness/stream/page.ts';
import { type Draft, findIn } from '../../harness/stream/stream-view.ts';
import { given } from '../../harness/verdict/outcome.ts';
import { fileAmong } from '../../spec/oracles/messages/files.ts';
import { judgeEach } from '../../spec/oracles/values/judgement.ts';
import { readOn, requireAccepted, requireEffect } from '../arrange/send/accepted-sends.ts';

/** Files of one message at most. */
const mostOfAMessage = 20;
/** Of a few messages: more than a round number that a query for the files of a page may end at. */
const mostOfAPage = 51;
/** Files beyond those that other checks want are made where that takes no longer than this, in ms. */
const cheapMs = 5_000;

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
        const judgement = judgeEach(showing, ({ own, ids }) => {
          const lost = lostOf(ids, own, page.items);
          if (lost === 0) return undefined;
          return {
            expected: `the ${ids.length} files of a message`,
            actual: `${lost} of them are not there`,
          };
        });
        expect.judgement('message.attachments.captured', judgement, page.exchange);
      }
    },
  ),
];

/** How many of these files a message does not show, as it is among some items. */
function lostOf(ids: readonly string[], own: Draft, items: readonly PageItem[]): number {
  const shown = shownOf(own, items);
  return ids.filter((id) => fileAmong(shown, id) === undefined).length;
}

function shownOf(own: Draft, items: readonly PageItem[]): unknown {
  return findIn(items, own)?.message['attachments'];
}
