import { isRecord } from '../../spec/calls/index.ts';
import { isAccepted, type Exchange } from '../../harness/client/exchange.ts';
import { principalsOf } from '../../harness/stream/identities.ts';
import { integerOf, type PageItem } from '../../harness/stream/page.ts';
import type { Walk } from '../../harness/stream/walk.ts';
import { check, type Check } from '../../harness/check/check.ts';
import type { Context } from '../../harness/check/context.ts';
import { given, unmet } from '../../harness/verdict/outcome.ts';
import { findIn, type Draft } from '../../harness/stream/stream-view.ts';
import type { Problem } from '../../spec/oracles/values/judgement.ts';
import { judgeBehind } from '../../spec/oracles/pages/items.ts';
import { isUuid } from '../../spec/index.ts';
import { asText } from '../../spec/oracles/values/json-texts.ts';
import { eventually } from '../arrange/eventually.ts';
import { seekListed } from '../arrange/mentions/listed.ts';
import { exchangesOf, mention, mentionNeeds, requireTarget } from '../arrange/mentions/mentioning.ts';
import { agentTarget } from '../arrange/send/proof.ts';

/** Which channels and which workspace a listing spans, and what its numbers count. */
export const mentionScopeChecks: readonly Check[] = [
  // mentions.across-channels: Mentions from all shared channels of the workspace come in one listing.
  check(
    'mentions.other-channels-are-covered',
    {
      title: 'a mention in a channel that the agent never used is listed with the others',
      clauses: ['mentions.across-channels'],
      needs: [...mentionNeeds, 'second-channel'],
      isExclusive: true,
    },
    async (context) => {
      const { author, reader, channel, secondChannel, expect, feedOf } = context;
      const feed = await feedOf(reader, author);
      const from = await feed.since();
      const target = await agentTarget(context, reader);
      const there = await mention(context, { from: author, channelId: secondChannel.id, targets: [target] });
      const here = await mention(context, { from: author, channelId: channel.id, targets: [target] });
      const sought = [await secondChannel.arrival(there), await channel.arrival(here)];
      requireTarget(sought[0], target);
      const { found, exchanges } = await seekListed(context, feed, from, sought);
      const [foundThere, foundHere] = found;
      if (foundHere === undefined) {
        given(foundThere !== undefined, 'a mention is listed from neither channel', exchanges[0]);
        // What is missing behind all that is listed may be late; beside one that was sent after it, it is left out.
        const last = await mention(context, { from: author, channelId: secondChannel.id, targets: [target] });
        const again = await seekListed(context, feed, from, [await secondChannel.arrival(last), ...sought]);
        if (again.found[0] === undefined || again.found[1] === undefined)
          unmet('mentions in the second channel are listed only at times', again.exchanges[0]);
        expect.holds(
          'mentions.across-channels',
          again.found[2] !== undefined,
          lacking(here, 'first'),
          ...again.exchanges,
        );
      }
      // A target may keep its newest mention alone: then what was sent there once more is that.
      const newest =
        foundThere === undefined
          ? await mention(context, { from: author, channelId: secondChannel.id, targets: [target] })
          : there;
      const last =
        newest === there
          ? { found: [foundThere], exchanges }
          : await seekListed(context, feed, from, [await secondChannel.arrival(newest)]);
      expect.holds(
        'mentions.across-channels',
        last.found[0] !== undefined,
        lacking(newest, 'second'),
        ...last.exchanges,
      );
    },
  ),
  // mention.sequence.workspace-wide: Mentions from different channels of a workspace are numbered in one
  //   common order.
  check(
    'mentions.channels-share-one-numbering',
    {
      title: 'mentions sent in turn to two channels are numbered in the order they were sent',
      clauses: ['mention.sequence.workspace-wide'],
      needs: [...mentionNeeds, 'second-channel'],
    },
    async (context) => {
      const { items, exchanges } = await mentionsInTwoChannels(context);
      context.expect.judgement('mention.sequence.workspace-wide', judgeBehind(items), ...exchanges);
    },
  ),
  // mentions.after.counts-the-workspace: `after` is compared with the number of the mention, not with that of
  //   its message.
  check(
    'mentions.after-is-compared-with-mention-sequences',
    {
      title: 'after is compared with the sequence of the mention, not with that of its message',
      clauses: ['mentions.after.counts-the-workspace'],
      needs: [...mentionNeeds, 'second-channel'],
    },
    async (context) => {
      const { author, reader, expect, feedOf } = context;
      const { items } = await mentionsInTwoChannels(context);
      given(judgeBehind(items).problems.length === 0, 'the mentions of two channels have no common order');
      // The newest mention first: retention reaches it last.
      const telling = tellingPairs(items.toReversed());
      given(
        telling.length > 0,
        'each mention has the number of its message, so that nothing can tell them apart',
      );
      const feed = await feedOf(reader, author);
      const walks = await eventually(
        context,
        () => Promise.all(telling.map(({ cursor }) => feed.walk(cursor))),
        // A replica may be behind for as long as the settle time.
        (seen) => seen.every((walk, index) => isAsDue(walk, telling[index])),
      );
      given(
        walks.some(({ isComplete }) => isComplete),
        'nothing was read to its end from the sequence of a mention on',
        walks[0]?.pages.at(-1)?.exchange,
      );
      const { items: newest } = await feed.readPage(undefined, 100);
      const wrong = walks.findIndex((walk, index) => !isAsDue(walk, telling[index]));
      const { item, cursor, isDue } = telling[wrong] ?? {};
      const isKept = newest.some(({ id }) => id === item?.id);
      given(wrong === -1 || isDue === false || isKept, 'the mention is no longer listed');
      if (isDue === true) {
        const { items: beyond } = await feed.readPage(walks[wrong]?.nextAfter, 100);
        const isBeyond = beyond.some(({ id }) => id === item?.id);
        given(!isBeyond, 'the mention is listed, behind a page that says that nothing more is there');
      }
      const which = `the mention at ${String(item?.sequence)}, in its channel at ${asText(item?.message['sequence'])}`;
      const problem = {
        expected: `${which}, ${isDue === true ? '' : 'not '}to be listed after ${String(cursor)}`,
        actual: isDue === true ? 'it is absent' : 'it is listed',
      };
      const pages = walks
        .slice(Math.max(0, wrong))
        .slice(0, 1)
        .flatMap((walk) => walk.pages.slice(0, 1));
      expect.holds('mentions.after.counts-the-workspace', wrong === -1, problem, ...exchangesOf(pages));
    },
  ),
  // mentions.own-workspace-only: Nothing from another workspace is listed.
  check(
    'mentions.other-workspaces-are-not-listed',
    {
      title: 'a message of another workspace that names the caller is not listed',
      clauses: ['mentions.own-workspace-only'],
      needs: [...mentionNeeds, 'stranger'],
    },
    async (context) => {
      const { author, reader, expect, feedOf } = context;
      const feed = await feedOf(reader, author);
      const sent = await sendFromAbroad(context);
      await expect.stream('mentions.own-workspace-only', feed).toNeverShow(sent);
      // Another workspace counts by itself: its mention may lie anywhere, if only so far is looked.
      const { items, pages } = await feed.walk(0n, { maxPages: 10 });
      const problem = { expected: 'no message of another workspace', actual: `${sent.marker} is listed` };
      expect.holds(
        'mentions.own-workspace-only',
        findIn(items, sent) === undefined,
        problem,
        ...exchangesOf(pages),
      );
    },
  ),
];

function lacking({ marker }: Draft, channel: string): Problem {
  return { expected: `the feed lists ${marker} of the ${channel} channel`, actual: 'it is absent' };
}

/** A mention and a cursor between which the number of the mention and that of its message lie apart. */
interface TellingPair {
  readonly item: PageItem;
  readonly cursor: bigint;
  /** Whether the mention is listed after the cursor: by its message's number it would be the other way round. */
  readonly isDue: boolean;
}

/** Cursors are the numbers of other mentions, so that it does not matter here whether they are exclusive. */
function tellingPairs(items: readonly PageItem[]): readonly TellingPair[] {
  return items.flatMap((item) => {
    const place = integerOf(item.message['sequence']);
    const own = item.sequence;
    if (place === undefined || own === undefined) return [];
    return items.flatMap(({ sequence: cursor }) =>
      cursor === undefined || cursor === own || own > cursor === place > cursor
        ? []
        : [{ item, cursor, isDue: own > cursor }],
    );
  });
}

function isAsDue(walk: Walk, pair: TellingPair | undefined): boolean {
  const isListed = walk.items.some(({ id }) => id === pair?.item.id);
  return pair?.isDue === true ? isListed || !walk.isComplete : !isListed;
}

/** The first, a second, the first and the second channel again: each sent once the one before was listed; and what listed the last, from before all of them on. */
function mentionsInTwoChannels(
  context: Context<(typeof mentionNeeds)[number] | 'second-channel'>,
): Promise<{ readonly items: readonly PageItem[]; readonly exchanges: readonly Exchange[] }> {
  const { author, reader, channel, secondChannel, feedOf, shared } = context;
  return shared('mentions-in-two-channels', async () => {
    const feed = await feedOf(reader, author);
    const from = await feed.since();
    const targets = [await agentTarget(context, reader)];
    const items: PageItem[] = [];
    let exchanges: readonly Exchange[] = [];
    // Each is sent after the one before was listed.
    for (const stream of [channel, secondChannel, channel, secondChannel]) {
      const draft = await mention(context, { from: author, channelId: stream.id, targets });
      const listing = await seekListed(context, feed, from, [await stream.arrival(draft)]);
      items.push(listing.found[0] ?? unmet('a mention in one of two channels was not listed'));
      ({ exchanges } = listing);
    }
    return { items, exchanges };
  });
}

/**
 * A message that the stranger sends in a channel of its own workspace, naming whom of the reader, its human and its
 * machine the server takes there, or itself: whether it takes any other is open, and what names nobody is listed nowhere.
 */
async function sendFromAbroad(context: Context<(typeof mentionNeeds)[number] | 'stranger'>): Promise<Draft> {
  const { reader, stranger, channel, identities, bindings } = context;
  const named = principalsOf(await identities.provenance(reader));
  const itself = await agentTarget(context, stranger);
  const channelId = idsIn(await stranger.channels()).find((id) => id !== channel.id);
  given(channelId !== undefined, 'the list of channels shows the stranger no channel of its own workspace');
  for (const targets of [named, ...named.map((target) => [target]), [itself]]) {
    const draft = context.draft();
    // The first that is taken is enough.
    const sent = await stranger.send(channelId, draft.text, { fields: { [bindings.mentions]: targets } });
    if (isAccepted(sent)) return draft;
  }
  return unmet('the stranger could name neither the reader nor itself in a channel of its own');
}

/** The ids of the objects that an answer lists, whatever it calls the list. */
function idsIn(exchange: Exchange): string[] {
  const body = exchange.response?.json;
  const lists = isRecord(body) ? Object.values(body) : [body];
  return lists
    .flatMap((list) => (Array.isArray(list) ? list : []))
    .flatMap((element: unknown) => {
      const id = isRecord(element) ? element['id'] : undefined;
      return typeof id === 'string' && isUuid(id) ? [id] : [];
    });
}
