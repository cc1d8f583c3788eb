import { randomUUID } from 'node:crypto';
import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import type { PageItem } from '../../harness/stream/page.ts';
import { findIn, showing } from '../../harness/stream/stream-view.ts';
import type { Draft, StreamView } from '../../harness/stream/stream-view.ts';
import { given } from '../../harness/verdict/outcome.ts';
import { judgeBehind } from '../../oracles/pages/places.ts';
import { seekListed } from '../arrange/mentions/listed.ts';
import { mention, mentionNeeds, requireTarget } from '../arrange/mentions/mentioning.ts';
import { readOn, requireAccepted } from '../arrange/send/accepted-sends.ts';
import { agentTarget } from '../arrange/send/proof.ts';

/** What goes on after a restart beside one channel: feeds, the other channels, and keys. */
export const mentionRestartChecks: readonly Check[] = [
  // mentions.cursor-never-skips: A mention never becomes visible below a cursor that was already given out.
  check(
    'mentions.cursors-go-on-after-a-restart',
    {
      title:
        'after a restart a feed and a second channel go on above the cursors that they gave out before it',
      clauses: [
        'mentions.cursor-never-skips',
        'channel-read.restart-reuses-no-sequence',
        'send.retry-stores-once',
      ],
      needs: [...mentionNeeds, 'second-channel', 'restart-hook'],
      isExclusive: true,
    },
    async (context) => {
      const { author, reader, secondChannel, bindings, draft, expect, feedOf, restart, settleMs, sleep } =
        context;
      const feed = await feedOf(reader, author);
      const [inFeed, inChannel] = [await feed.since(), await secondChannel.since()];
      const target = await agentTarget(context, reader);
      const [before, key] = [draft(), randomUUID()];
      const sendIt = () =>
        author.send(secondChannel.id, before.text, { key, fields: { [bindings.mentions]: [target] } });
      requireAccepted(await sendIt());
      const arrived = await secondChannel.arrival(before);
      requireTarget(arrived, target);
      const listed = await seekListed(context, feed, inFeed, [arrived]);
      given(listed.found[0] !== undefined, 'a mention is not listed even before a restart');
      const reached = await reachedBy(feed, secondChannel, [inFeed, inChannel]);
      await restart();
      requireAccepted(await sendIt());
      const after = await mention(context, { from: author, channelId: secondChannel.id, targets: [target] });
      await secondChannel.arrival(after);
      await seekListed(context, feed, inFeed, [await secondChannel.arrival(after)]);
      await sleep(settleMs);
      const [feedNow, channelNow] = [await readOn(feed, inFeed), await readOn(secondChannel, inChannel)];
      for (const [clause, { items, pages }, sequence] of [
        ['mentions.cursor-never-skips', feedNow, reached[0]],
        ['channel-read.restart-reuses-no-sequence', channelNow, reached[1]],
      ] as const) {
        const fresh = findIn(items, after);
        given(fresh !== undefined, 'a message sent after the restart is not shown');
        const judgement = judgeBehind([{ id: undefined, sequence }, fresh]);
        expect.judgement(clause, judgement, ...pages.slice(-1).map(({ exchange }) => exchange));
      }
      const copies = copiesOf(before, channelNow.items);
      const problem = { expected: 'one message of a key that was used again', actual: `${copies} messages` };
      expect.holds('send.retry-stores-once', copies <= 1, problem, ...listed.exchanges.slice(0, 1));
    },
  ),
];

/** The cursors that two streams give out at their ends. */
async function reachedBy(
  feed: StreamView,
  channel: StreamView,
  [inFeed, inChannel]: readonly [bigint | undefined, bigint | undefined],
): Promise<readonly [bigint | undefined, bigint | undefined]> {
  return [(await readOn(feed, inFeed)).nextAfter, (await readOn(channel, inChannel)).nextAfter];
}

function copiesOf(draft: Draft, items: readonly PageItem[]): number {
  return items.filter(showing(draft)).length;
}
