import { isRecord } from '../../spec/calls/index.ts';
import type { PageItem, PageRead } from '../../harness/stream/page.ts';
import { findIn, type Draft, type StreamView } from '../../harness/stream/stream-view.ts';
import { check, type Check } from '../../harness/check/check.ts';
import { given, unmet } from '../../harness/verdict/outcome.ts';
import { judgeHoldsAll } from '../../spec/oracles/pages/items.ts';
import type { NamedTarget } from '../../spec/oracles/messages/targets.ts';
import { asText } from '../../spec/oracles/values/json-texts.ts';
import { inconclusive, type Judgement } from '../../spec/oracles/values/judgement.ts';
import { eventually, settle } from '../arrange/eventually.ts';
import { arranged } from '../arrange/or-else.ts';
import {
  exchangesOf,
  isCutShort,
  mention,
  mentionNeeds,
  ownItems,
  requirePages,
  type Mentioning,
} from '../arrange/mentions/mentioning.ts';
import { requireAccepted } from '../arrange/send/accepted-sends.ts';
import { agentTarget } from '../arrange/send/proof.ts';

/** What a feed shows when it is read again. */
export const mentionRepetitionChecks: readonly Check[] = [
  // mentions.records-no-retrieval: Listing mentions does not put the caller among the retrievals of a
  //   message.
  check(
    'mentions.listing-records-no-retrieval',
    {
      title:
        'listing a mention, also of a message with a file, does not put the caller among those who retrieved the message',
      clauses: ['mentions.records-no-retrieval'],
      needs: mentionNeeds,
      // Another check that reads the channel as the reader might be what puts it there, or list what this one does not.
      isExclusive: true,
    },
    async (context) => {
      const { author, bindings, reader, channel, expect, feedOf, readyFiles } = context;
      const feed = await feedOf(reader, author);
      const target = await agentTarget(context, reader);
      const naming = { from: author, channelId: channel.id, targets: [target] };
      // Another program with the token of the reader that reports what mentions it reports what came first as well.
      const before = await channel.since();
      const older = await mention(context, naming);
      await channel.arrival(older);
      await settle(context);
      const plain = await mention(context, naming);
      const carrying = await arranged(async () =>
        mention(context, { ...naming, others: { [bindings.attachments]: await readyFiles(1) } }),
      );
      const named = [plain, ...(carrying === undefined ? [] : [carrying])];
      await channel.arrivals(named);
      await settle(context);
      given(
        await areListedAlone(feed, named, older),
        'no newest page shows the mentions without the one before them',
      );
      await settle(context);
      const { pages } = await channel.walk(before);
      const items = pages.flatMap((page) => page.items);
      const isAmong = (retrievers: readonly string[]): boolean =>
        retrievers.includes(target.id.toLowerCase());
      const ofOlder = retrieversOf(findIn(items, older)) ?? [];
      given(!isAmong(ofOlder), 'the reader is said to have retrieved what it was never given');
      for (const each of named) {
        const retrievers = retrieversOf(findIn(items, each)) ?? unmet('the channel shows no receipts');
        const problem = {
          expected: `not the reader, ${target.id}, which reported nothing`,
          actual: retrievers.join(', '),
        };
        expect.holds('mentions.records-no-retrieval', !isAmong(retrievers), problem, ...exchangesOf(pages));
      }
    },
  ),
  // mentions.acknowledges-nothing: Listing mentions again with the same parameters returns them again.
  check(
    'mentions.listing-acknowledges-nothing',
    {
      title: 'the same listing twice returns the same mentions twice, and of equal texts each one',
      clauses: ['mentions.acknowledges-nothing', 'mentions.matches-agent-target'],
      needs: mentionNeeds,
      // Nobody else reads the feed in between, or sends something between equal texts.
      isExclusive: true,
      sharesSettling: true,
    },
    async (context) => {
      const { author, reader, channel, expect, feedOf } = context;
      const feed = await feedOf(reader, author);
      const from = await feed.since();
      const naming = { from: author, channelId: channel.id, targets: [await agentTarget(context, reader)] };
      const drafts = [await mention(context, naming), await mention(context, naming)];
      await channel.arrivals(drafts);
      await settle(context);
      const newest = await feed.readPage(undefined, limit);
      const last =
        newest.items.at(-1)?.sequence ?? unmet('a page without a cursor is empty', newest.exchange);
      // What came meanwhile lies higher; anything lower is what the first listing left, unless a replica lags behind.
      const reachesIt = ({ items }: PageRead): boolean => (items.at(-1)?.sequence ?? -1n) >= last;
      const holdsOwn = (read: PageRead): Judgement =>
        hasRoom(read, last, drafts.length)
          ? judgeHoldsAll(ownItems(read.items, drafts), ownItems(newest.items, drafts))
          : inconclusive;
      const newestAgain = await eventually(
        context,
        () => feed.readPage(undefined, limit),
        (read) => reachesIt(read) && holdsOwn(read).problems.length === 0,
      );
      const page = await feed.readPage(from, 10);
      const holdsAll = ({ items }: PageRead): Judgement =>
        judgeHoldsAll(ownItems(items, drafts), ownItems(page.items, drafts));
      const pageAgain = await eventually(
        context,
        () => feed.readPage(from, 10),
        (read) => holdsAll(read).problems.length === 0,
      );
      requirePages(newest, newestAgain, page, pageAgain);
      const isKept = reachesIt(newestAgain);
      const problem = {
        expected: `a mention at ${last} or above`,
        actual: `none above ${String(newestAgain.items.at(-1)?.sequence)}`,
      };
      expect.holds('mentions.acknowledges-nothing', isKept, problem, newest.exchange, newestAgain.exchange);
      const ownAgain = holdsOwn(newestAgain);
      expect.judgement('mentions.acknowledges-nothing', ownAgain, newest.exchange, newestAgain.exchange);
      const again = holdsAll(pageAgain);
      expect.judgement('mentions.acknowledges-nothing', again, page.exchange, pageAgain.exchange);
      await expectEqualTexts(context, { feed, from, older: drafts, target: naming.targets[0] });
    },
  ),
];

const limit = 10;

/** Whether a newest page could still show so many mentions from before: neither newer ones nor a byte cap take their room. */
function hasRoom(page: PageRead, last: bigint, count: number): boolean {
  const newer = page.items.filter(({ sequence = 0n }) => sequence > last).length;
  return newer + count <= limit && !isCutShort(page, limit);
}

/** More than somebody may say twice before a server stops listening. */
const equalTexts = 5;

/** A feed with older mentions in it, and whom they name. */
interface Listening {
  readonly feed: StreamView;
  readonly from: bigint | undefined;
  readonly older: readonly Draft[];
  readonly target: NamedTarget | undefined;
}

/** Sends one text several times in a row, and sees each that its channel shows in the feed of whom it names, which keeps older ones too. */
async function expectEqualTexts(
  context: Mentioning,
  { feed, from, older, target }: Listening,
): Promise<void> {
  const { author, bindings, channel, draft, expect } = context;
  const [start, each] = [await channel.since(), draft()];
  const fields = { [bindings.mentions]: [target] };
  const ownIn = (items: readonly PageItem[]): readonly PageItem[] =>
    items.filter((item) => findIn([item], each) !== undefined);
  for (let sent = 0; sent < equalTexts; sent += 1)
    requireAccepted(await author.send(channel.id, each.text, { fields }));
  const { items: stored } = await eventually(
    context,
    () => channel.walk(start),
    ({ items }) => ownIn(items).length >= equalTexts,
  );
  const due = new Set(ownIn(stored).map(({ id }) => id)).size;
  const { items, pages } = await eventually(
    context,
    () => feed.walk(from),
    (read) => ownIn(read.items).length >= due,
  );
  given(ownItems(items, older).length >= older.length, 'the feed keeps too little');
  const listed = new Set(ownIn(items).map(({ id }) => id)).size;
  const problem = {
    expected: `${due} mentions of one text, sent one after the other`,
    actual: String(listed),
  };
  expect.holds('mentions.matches-agent-target', listed >= due, problem, ...exchangesOf(pages));
}

/** So many newer mentions of others may stand on the newest page. */
const mostNewer = 4;

/** Whether the newest page, made longer bit by bit, shows mentions and not the one before them. */
async function areListedAlone(feed: StreamView, named: readonly Draft[], older: Draft): Promise<boolean> {
  for (let limit = named.length; limit <= named.length + mostNewer; limit += 1) {
    const { items } = await feed.readPage(undefined, limit);
    if (ownItems(items, [older]).length > 0) return false;
    if (ownItems(items, named).length >= named.length) return true;
  }
  return false;
}

/** The agents that the preview of a message lists; `undefined` when it has none. */
function retrieversOf(item: PageItem | undefined): readonly string[] | undefined {
  const receipts = item?.message['receipts'];
  const retrieved = isRecord(receipts) ? receipts['retrieved'] : undefined;
  const ids = isRecord(retrieved) ? retrieved['agent_ids'] : undefined;
  return Array.isArray(ids) ? ids.map((id) => asText(id).toLowerCase()) : undefined;
}
