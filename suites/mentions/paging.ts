import { isAccepted, isRefusal } from '../../harness/client/exchange.ts';
import { integerOf, readPage, type PageItem, type PageRead } from '../../harness/stream/page.ts';
import { findIn, type StreamView } from '../../harness/stream/stream-view.ts';
import { principalsOf } from '../../harness/stream/identities.ts';
import { withWorkers } from '../../harness/run/waves.ts';
import { check, type Check } from '../../harness/check/check.ts';
import { given, unmet } from '../../harness/verdict/outcome.ts';
import { defaultLimit, isShorterWithoutLimit, judgeDefaultLimit } from '../../spec/oracles/answers/feed.ts';
import { judgeBehind } from '../../spec/oracles/pages/items.ts';
import { sequencesOf } from '../../spec/oracles/pages/read-page.ts';
import { eventually, settle, settleSurely } from '../arrange/eventually.ts';
import { heavierPage } from '../arrange/mentions/heavier-page.ts';
import {
  isCutShort,
  mention,
  mentionNeeds,
  ofChannel,
  requirePages,
  type Mentioning,
} from '../arrange/mentions/mentioning.ts';
import { requireAccepted } from '../arrange/send/accepted-sends.ts';
import { agentTarget } from '../arrange/send/proof.ts';
import { quietMentions } from '../arrange/mentions/series.ts';
import { populationOf } from '../population/population.ts';
import { isOfFeed } from '../population/rule.ts';

/** Fewer than there are mentions to be listed. */
const shortPage = 3;

/** More messages than a listing looks back over that has a window of a hundred, of 128 or of 200. */
const farBack = 210;
/** Sends that are under way at one time. */
const workers = 12;
/** Mentions of a page, at most. */
const mostOfPage = 100;
/** Pages that are read until one holds something that was listed before: others may write all the time. */
const mostTries = 5;

/** A short page without a cursor, and what of the feed was listed long before and is long after, from its first item on. */
async function newestBesideKnown(
  context: Mentioning,
  feed: StreamView,
  after: bigint,
): Promise<{ newest: PageRead; first: bigint; known: readonly PageItem[] }> {
  for (let tries = 1; ; tries += 1) {
    const before = await feed.walk(after);
    // Long enough for the judges of the history too, whatever else is read meanwhile.
    await settleSurely(context);
    const newest = await feed.readPage(undefined, shortPage);
    await settleSurely(context);
    const still = new Set((await feed.walk(after)).items.map(({ id }) => id));
    const first = newest.items[0]?.sequence ?? unmet('the newest page of mentions is empty', newest.exchange);
    const known = onceEach(
      before.items.filter(({ id, sequence = 0n }) => sequence >= first && still.has(id)),
    );
    if (known.length > 0) return { newest, first, known };
    given(tries < mostTries, 'only what had just been sent was on the page', newest.exchange);
  }
}

/** Messages once: one that names two targets of a reader may be listed for each of them. */
function onceEach(items: readonly PageItem[]): readonly PageItem[] {
  return [...new Map(items.map((item) => [item.id, item])).values()];
}

/** How long the pages of a feed are, and what they hold. */
export const mentionPagingChecks: readonly Check[] = [
  // mentions.newest-page: Without `after`, no match newer than the first one listed is missing, within `limit`
  //   and the byte cap.
  check(
    'mentions.newest-page-holds-the-newest',
    {
      title:
        'a short page without a cursor holds the newest of what was listed long before and is long after',
      clauses: ['mentions.newest-page'],
      needs: mentionNeeds,
    },
    async (context) => {
      const { author, reader, expect, feedOf } = context;
      const { after } = await quietMentions(context);
      const feed = await feedOf(author, reader);
      const { newest, first, known } = await newestBesideKnown(context, feed, after);
      const shown = newest.items.map(({ id }) => id);
      const missing = known.filter(({ id }) => !shown.includes(id));
      // What a byte cap cut off follows on the next page, and the page says so.
      const end = newest.items.at(-1)?.sequence ?? first;
      const isCut = isCutShort(newest, shortPage) && missing.every(({ sequence = 0n }) => sequence > end);
      const isNewest = known.length <= shortPage && (missing.length === 0 || isCut);
      const problem = {
        expected: `of the newest ${shortPage} mentions all, or as many as a byte cap leaves from the first on`,
        actual: `${shown.length}, with ${known.length} that were listed before at ${first} or beyond`,
      };
      expect.holds('mentions.newest-page', isNewest, problem, newest.exchange);
    },
  ),
  // mentions.newest-page: Without `after`, no match newer than the first one listed is missing, within `limit`
  //   and the byte cap.
  check(
    'mentions.newest-page-takes-every-target',
    {
      title: 'the newest page, looked at before, shows what has come to mention a target of the reader since',
      clauses: ['mentions.newest-page'],
      needs: ['provision-hook', 'mentions-binding'],
    },
    async (context) => {
      const { expect, provision } = context;
      const fresh = await provision();
      const [author, reader] = [fresh.actor('author'), fresh.actor('reader')];
      const feed = await fresh.feedOf(reader, author);
      const channelId = fresh.channel.id;
      const targets = principalsOf(await fresh.identities.provenance(reader));
      const newest = (): Promise<PageRead> => feed.readPage(undefined, shortPage);
      for (const target of targets) {
        const before = await newest();
        const named = await mention(context, { from: author, channelId, targets: [target] });
        const { sequence = 0n } = await feed.arrival(named);
        const page = await eventually(context, newest, ({ items }) => findIn(items, named) !== undefined);
        requirePages(before, page);
        const first = page.items[0]?.sequence;
        const isOlder = first !== undefined && sequence < first;
        const isShown = isCutShort(page, shortPage) || isOlder || findIn(page.items, named) !== undefined;
        const isKept = isShown || findIn((await feed.walk(sequence - 1n)).items, named) !== undefined;
        given(isKept, 'the mention is no longer listed', page.exchange);
        const problem = {
          expected: `the mention at ${sequence}, which names the ${target.kind} of the reader`,
          actual:
            first === undefined
              ? 'no mention at all'
              : `${page.items.length} mentions from ${first} on, and not that one`,
        };
        expect.holds('mentions.newest-page', isShown, problem, before.exchange, page.exchange);
      }
    },
  ),
  // mentions.newest-page: Without `after`, no match newer than the first one listed is missing, within `limit`
  //   and the byte cap.
  check(
    'mentions.newest-page-reaches-far-back',
    {
      title: 'the newest page shows a mention, however many messages have come since that are for nobody',
      clauses: ['mentions.newest-page'],
      needs: ['provision-hook', 'mentions-binding'],
    },
    async (context) => {
      const { draft, expect, provision } = context;
      const fresh = await provision();
      const [author, reader, channelId] = [fresh.actor('author'), fresh.actor('reader'), fresh.channel.id];
      const feed = await fresh.feedOf(reader, author);
      const targets = [await agentTarget(fresh, reader)];
      const named = await mention(context, { from: author, channelId, targets });
      const { sequence = 0n } = await feed.arrival(named);
      const since = Array.from({ length: farBack }, () => draft());
      await withWorkers(since, workers, async ({ text }) => {
        requireAccepted(await author.send(channelId, text));
      });
      await fresh.channel.arrivals(since.slice(-1));
      // Who lists may come to know of what was sent later than who reads the channel.
      await settle(context);
      const page = await feed.readPage(undefined, shortPage);
      requirePages(page);
      const isShown = isCutShort(page, shortPage) || findIn(page.items, named) !== undefined;
      // Others may have mentioned the reader since.
      const newer = page.items.filter((item) => (item.sequence ?? 0n) > sequence);
      given(isShown || newer.length < shortPage, 'newer mentions of others fill the page', page.exchange);
      const isKept = isShown || findIn((await feed.walk(sequence - 1n)).items, named) !== undefined;
      given(isKept, 'the mention is no longer listed', page.exchange);
      const problem = {
        expected: `the mention at ${sequence}, since which ${farBack} messages of this run came, which name nobody`,
        actual: `${page.items.length} mentions, and not that one`,
      };
      expect.holds('mentions.newest-page', isShown, problem, page.exchange);
    },
  ),
  // mentions.limit.default: A listing without `limit` has 50 messages at most, and as many if so many match
  //   and fit.
  check(
    'mentions.default-limit-is-50',
    {
      title:
        'a listing without a limit is as long as one with a limit of 50, and one with two has a hundred at most',
      clauses: ['mentions.limit.default', 'mentions.limit.max'],
      needs: mentionNeeds,
    },
    async (context) => {
      const { reader, channel, expect, observe } = context;
      const items = await crowdedFeed(context);
      const after = items[0]?.sequence ?? unmet('the feed of the reader lists nothing');
      const fits: number[] = [];
      for (const from of [after, undefined]) {
        const read = async (limit: number | undefined): Promise<PageRead> =>
          readPage(await reader.mentions({ after: from, limit }));
        const before = await Promise.all([read(defaultLimit), read(60)]);
        const plain = await read(undefined);
        const later = await Promise.all([read(defaultLimit), read(60)]);
        requirePages(plain, ...before, ...later);
        const pages = {
          withoutLimit: [plain],
          withDefault: [before[0], later[0]],
          withMore: [before[1], later[1]],
        };
        const heavier = isShorterWithoutLimit(pages) ? await heavierPage(context, plain) : undefined;
        const judgement = judgeDefaultLimit(pages, { isCapRuledOut: heavier !== undefined });
        const evidence = [...before, plain, ...(heavier === undefined ? [] : [heavier])].map(
          ({ exchange }) => exchange,
        );
        expect.judgement('mentions.limit.default', judgement, ...evidence);
        fits.push(before[1].items.length);
      }
      // Of two limits one may count, and none is above a hundred.
      const two = await reader.mentions(`after=0&limit=1&limit=${10 * mostOfPage}`);
      const listed = readPage(two).items.length;
      const problem = { expected: `${mostOfPage} mentions at most`, actual: String(listed) };
      // No answer, an error of the server or a limit says nothing of either.
      if (isAccepted(two) || isRefusal(two))
        expect.holds('mentions.limit.max', !isAccepted(two) || listed <= mostOfPage, problem, two);
      const isCut = Math.min(...fits) <= defaultLimit;
      observe(
        'mentions.limit.byte-cap',
        'short mentions, sixty asked for',
        isCut ? '50 or fewer on a page' : 'more than 50 on a page',
      );
      const places = onceEach(ofChannel(items, channel.id)).map(({ message }) => ({
        id: undefined,
        sequence: integerOf(message['sequence']),
      }));
      observe(
        'mentions.order-against-channel-order',
        'mentions of concurrent sends',
        judgeBehind(places).problems.length === 0 ? 'in the order of their channel' : 'in another order',
      );
    },
  ),
];

/** The reader's feed as the population has left it: with more mentions than a page has by default, each in a place of its own. */
async function crowdedFeed(context: Mentioning): Promise<readonly PageItem[]> {
  const { last } = await populationOf(context);
  const own = last.filter((page) => isOfFeed(page) && page.reader === 'reader');
  const items = own.flatMap((page) => page.items);
  const sequences = sequencesOf(items);
  given(new Set(sequences).size === sequences.length, 'two mentions have one sequence');
  return items;
}
