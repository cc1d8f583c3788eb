import type { PageItem } from '../../harness/stream/page.ts';
import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import type { ChannelView } from '../../harness/stream/channel-view.ts';
import type { Context } from '../../harness/check/context.ts';
import { given } from '../../harness/verdict/outcome.ts';
import { findIn } from '../../harness/stream/stream-view.ts';
import type { Draft } from '../../harness/stream/stream-view.ts';
import type { Walk } from '../../harness/stream/walk.ts';
import { judgeNoneVanished } from '../../oracles/answers/feed.ts';
import { sequencesOf } from '../../oracles/pages/read-page.ts';
import { eventually } from '../arrange/eventually.ts';
import { requireAccepted } from '../arrange/send/accepted-sends.ts';
import { singlesAfter } from '../arrange/singles.ts';

/** Enough that every third one has others behind it and an older one before it. */
const count = 7;

/** What was read of a channel stays there. */
export const messageStayingChecks: readonly Check[] = [
  // states.messages-do-not-vanish: A message that was read is not gone from a later complete read while its
  //   like is retained.
  check(
    'message.does-not-vanish-while-an-older-one-stays',
    {
      title:
        'a message that was read is still there after later ones, as long as an older one of its author is',
      clauses: ['states.messages-do-not-vanish'],
      arranges: ['send.appends', 'send.acknowledged-order'],
      needs: ['author', 'channel'],
      // A channel that shows things once would hide from this check what another one reads.
      isExclusive: true,
    },
    async (context) => {
      const { channel, expect } = context;
      const from = await channel.since();
      const drafts = await sendAndReadEach(context, from);
      const shown = await eventually(
        context,
        () => everySight(channel, from),
        (items) => drafts.every(({ marker }) => namesIn(items, drafts).includes(marker)),
      );
      const markers = drafts.map(({ marker }) => marker);
      given(namesIn(shown, drafts).length !== 0, 'the channel shows nothing of what was read before');
      const { exchange } = await channel.readPage(from, 100);
      expect.judgement(
        'states.messages-do-not-vanish',
        judgeNoneVanished(markers, namesIn(shown, drafts)),
        exchange,
      );
    },
  ),
];

/** Messages of equal size, all read from one cursor before the next one is sent: one that comes before others is seen as well. */
async function sendAndReadEach(
  context: Context<'author' | 'channel'>,
  from: bigint | undefined,
): Promise<readonly Draft[]> {
  const { author, channel, draft } = context;
  const drafts: Draft[] = [];
  while (drafts.length < count) {
    const next = draft();
    requireAccepted(await author.send(channel.id, next.text));
    const isThere = ({ items }: Walk): boolean => findIn(items, next) !== undefined;
    const walk = await eventually(context, () => channel.walk(from), isThere);
    given(isThere(walk), 'a message did not become visible', walk.pages[0]?.exchange);
    drafts.push(next);
  }
  return drafts;
}

/** What a channel shows by any way of asking: what one of them passes over has not vanished. */
async function everySight(channel: ChannelView, from: bigint | undefined): Promise<readonly PageItem[]> {
  const long = await channel.walk(from);
  const singly = await singlesAfter(channel, [from, ...sequencesOf(long.items)]);
  return [...long.items, ...singly.flatMap(({ items }) => items)];
}

function namesIn(items: readonly PageItem[], drafts: readonly Draft[]): readonly string[] {
  return drafts.filter((draft) => findIn(items, draft) !== undefined).map(({ marker }) => marker);
}
