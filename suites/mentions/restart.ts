import { randomUUID } from 'node:crypto';
import { check, type Check } from '../../harness/check/check.ts';
import type { Context } from '../../harness/check/context.ts';
import type { Exchange } from '../../harness/client/exchange.ts';
import type { Expect } from '../../harness/check/expect.ts';
import type { PageItem } from '../../harness/stream/page.ts';
import { findIn, showing, type Draft, type StreamView } from '../../harness/stream/stream-view.ts';
import type { Walk } from '../../harness/stream/walk.ts';
import { given } from '../../harness/verdict/outcome.ts';
import type { ClauseId } from '../../spec/index.ts';
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
      const fields = { [bindings.mentions]: [target] };
      const [before, key] = [draft(), randomUUID()];
      const sendIt = () => author.send(secondChannel.id, before.text, { key, fields });
      const first = await sendIt();
      requireAccepted(first);
      const arrived = await secondChannel.arrival(before);
      requireTarget(arrived, target);
      const listed = await seekListed(context, feed, inFeed, [arrived]);
      given(listed.found[0] !== undefined, 'a mention is not listed even before a restart');
      const begins = [inFeed, inChannel] as const;
      let reached = await reachedBy(feed, secondChannel, begins);
      const [last, lastKey] = [draft(), randomUUID()];
      const sendLast = () => author.send(secondChannel.id, last.text, { key: lastKey, fields });
      const lastSent: Exchange[] = [];
      // What a server takes down from time to time it has not taken down of this one, nor how far its cursors have got by then.
      await restart(async () => {
        lastSent.push(await sendLast());
        reached = await reachedBy(feed, secondChannel, begins);
      });
      const again = await sendIt();
      const lastAgain = await sendLast();
      requireAccepted(...lastSent, again, lastAgain);
      const after = await mention(context, { from: author, channelId: secondChannel.id, targets: [target] });
      await secondChannel.arrival(after);
      await seekListed(context, feed, inFeed, [await secondChannel.arrival(after)]);
      await sleep(settleMs);
      const [feedNow, channelNow] = [await readOn(feed, inFeed), await readOn(secondChannel, inChannel)];
      expectAbove(expect, after, [
        ['mentions.cursor-never-skips', feedNow, reached[0]],
        ['channel-read.restart-reuses-no-sequence', channelNow, reached[1]],
      ]);
      const uses = [
        { message: before, once: first, twice: again },
        ...lastSent.map((once) => ({ message: last, once, twice: lastAgain })),
      ];
      for (const { message, once, twice } of uses) {
        const copies = copiesOf(message, channelNow.items);
        // A key may be forgotten for its age: then it is so without a restart, and this says nothing.
        if (copies > 1 && !(await isKeyKept(context, twice.startedMs - once.startedMs))) continue;
        const problem = {
          expected: 'one message of a key that was used again',
          actual: `${copies} messages`,
        };
        const shown = channelNow.pages.filter(({ items }) => copiesOf(message, items) > 0);
        const evidence = shown.map(({ exchange }) => exchange).slice(0, 2);
        expect.holds('send.retry-stores-once', copies <= 1, problem, once, twice, ...evidence);
      }
    },
  ),
  // mentions.cursor-never-skips: A mention never becomes visible below a cursor that was already given out.
  check(
    'mentions.cursors-behind-broadcasts-hold-over-a-restart',
    {
      title:
        'cursors taken after messages that name nobody are good after a restart, before anything else is sent',
      clauses: ['mentions.cursor-never-skips', 'channel-read.restart-reuses-no-sequence'],
      arranges: [
        'channel-read.after-exclusive',
        'channel-read.issued-cursor-is-no-conflict',
        'mentions.issued-cursor-is-no-conflict',
        'page.high-watermark-never-falls',
      ],
      needs: ['provision-hook', 'restart-hook'],
    },
    async (context) => {
      const { draft, expect, provision, restart } = context;
      const fresh = await provision();
      const { channel, identities } = fresh;
      const [author, reader] = [fresh.actor('author'), fresh.actor('reader')];
      const feed = await fresh.feedOf(reader, author);
      const target = { kind: 'agent', id: await identities.agentId(reader) } as const;
      const naming = { from: author, channelId: channel.id, targets: [target] };
      const arrived = await channel.arrival(await mention(context, naming));
      requireTarget(arrived, target);
      const listed = await seekListed(context, feed, 0n, [arrived]);
      given(listed.found[0] !== undefined, 'a mention is not listed even before a restart');
      const broadcasts = [draft(), draft(), draft()];
      requireAccepted(...(await Promise.all(broadcasts.map(({ text }) => author.send(channel.id, text)))));
      await channel.arrivals(broadcasts);
      const newest = await feed.readPage(undefined, 100);
      const ofNewest: GivenOut = { cursor: newest.nextAfter, by: newest.exchange };
      const [inFeed, inChannel] = [endOf(await readOn(feed, 0n)), endOf(await readOn(channel, 0n))];
      await restart();
      // While nothing was sent since: a server may learn again where it stands from the first thing that is.
      await Promise.all([
        feed.walk(ofNewest.cursor),
        feed.walk(inFeed.cursor),
        channel.walk(inChannel.cursor),
      ]);
      const after = await mention(context, naming);
      await seekListed(context, feed, 0n, [await channel.arrival(after)]);
      const [feedNow, channelNow] = [await readOn(feed, 0n), await readOn(channel, 0n)];
      expectAbove(expect, after, [
        ['mentions.cursor-never-skips', feedNow, ofNewest],
        ['mentions.cursor-never-skips', feedNow, inFeed],
        ['channel-read.restart-reuses-no-sequence', channelNow, inChannel],
      ]);
    },
  ),
];

/** A cursor that a stream gave out, and by which answer. */
interface GivenOut {
  readonly cursor: bigint | undefined;
  readonly by: Exchange | undefined;
}

function endOf({ nextAfter, pages }: Pick<Walk, 'nextAfter' | 'pages'>): GivenOut {
  return { cursor: nextAfter, by: pages.at(-1)?.exchange };
}

/** The cursors that two streams give out at their ends. */
async function reachedBy(
  feed: StreamView,
  channel: StreamView,
  [inFeed, inChannel]: readonly [bigint | undefined, bigint | undefined],
): Promise<readonly [GivenOut, GivenOut]> {
  return [endOf(await readOn(feed, inFeed)), endOf(await readOn(channel, inChannel))];
}

/** Judges that what was sent after a restart stands above each cursor of a stream that was given out before. */
function expectAbove(
  expect: Expect,
  sent: Draft,
  streams: readonly (readonly [ClauseId, Awaited<ReturnType<typeof readOn>>, GivenOut])[],
): void {
  for (const [clause, { items, pages }, { cursor, by }] of streams) {
    const item = findIn(items, sent);
    given(item !== undefined, 'a message sent after the restart is not shown');
    const { sequence } = item;
    if (sequence === undefined || cursor === undefined) continue;
    const problem = {
      expected: `a sequence above ${cursor}, which was given out as a cursor before the restart`,
      actual: `${sequence} of the message ${sent.marker}`,
    };
    const shown = pages.find((page) => findIn(page.items, sent) !== undefined);
    const evidence = [by, shown?.exchange].filter((each) => each !== undefined);
    expect.holds(clause, sequence > cursor, problem, ...evidence);
  }
}

/** Whether a message that is repeated under its key after some time, in ms, stays the only one. */
async function isKeyKept(
  { author, secondChannel, draft, settleMs, sleep }: Context<'author' | 'second-channel'>,
  ageMs: number,
): Promise<boolean> {
  const [from, message, key] = [await secondChannel.since(), draft(), randomUUID()];
  const send = () => author.send(secondChannel.id, message.text, { key });
  requireAccepted(await send());
  await sleep(ageMs);
  requireAccepted(await send());
  await secondChannel.arrival(message);
  await sleep(settleMs);
  return copiesOf(message, (await readOn(secondChannel, from)).items) <= 1;
}

function copiesOf(draft: Draft, items: readonly PageItem[]): number {
  return items.filter(showing(draft)).length;
}
