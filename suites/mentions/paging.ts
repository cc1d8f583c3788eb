import { isAccepted } from '../../harness/client/exchange.ts';
import { integerOf, readPage, type PageItem, type PageRead } from '../../harness/stream/page.ts';
import { check, type Check } from '../../harness/check/check.ts';
import { given, unmet } from '../../harness/verdict/outcome.ts';
import { defaultLimit, judgeDefaultLimit } from '../../oracles/answers/feed.ts';
import { judgeAscending, judgeDistinctSequences } from '../../oracles/pages/order.ts';
import { mentionNeeds, ofChannel, requirePages, type Mentioning } from '../arrange/mentions/mentioning.ts';
import { populationOf } from '../population/population.ts';
import { isOfFeed } from '../population/rule.ts';

/** Mentions of a page, at most. */
const mostOfPage = 100;
/** How long the pages of a feed are, and what they hold. */
export const mentionPagingChecks: readonly Check[] = [
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
          readPage(await reader.mentions({ after: from, limit }), { after: from, limit });
        const before = await Promise.all([read(defaultLimit), read(60)]);
        const plain = await read(undefined);
        const later = await Promise.all([read(defaultLimit), read(60)]);
        requirePages(plain, ...before, ...later);
        const judgement = judgeDefaultLimit({
          withoutLimit: [plain],
          withDefault: [before[0], later[0]],
          withMore: [before[1], later[1]],
        });
        const evidence = [plain, ...before].map(({ exchange }) => exchange);
        expect.judgement('mentions.limit.default', judgement, ...evidence);
        fits.push(before[1].items.length);
      }
      // Of two limits one may count, and none is above a hundred.
      const two = await reader.mentions(`after=0&limit=1&limit=${10 * mostOfPage}`);
      const listed = readPage(two, { after: 0n, limit: undefined }).items.length;
      const problem = { expected: `${mostOfPage} mentions at most`, actual: String(listed) };
      expect.holds('mentions.limit.max', !isAccepted(two) || listed <= mostOfPage, problem, two);
      const isCut = Math.min(...fits) <= defaultLimit;
      observe('mentions.limit.byte-cap', 'sixty-short-mentions', isCut ? 'cut below 50' : 'not cut below 50');
      const places = ofChannel(items, channel.id).map(({ message }) => ({
        id: undefined,
        sequence: integerOf(message['sequence']),
      }));
      observe(
        'mentions.order-against-channel-order',
        'concurrent-sends',
        judgeAscending(places).problems.length === 0 ? 'as in the channel' : 'another order',
      );
    },
  ),
];

/** The reader's feed as the population has left it: with more mentions than a page has by default, each in a place of its own. */
async function crowdedFeed(context: Mentioning): Promise<readonly PageItem[]> {
  const { last } = await populationOf(context);
  const own = last.filter((page) => isOfFeed(page) && page.reader === 'reader');
  const items = own.flatMap((page) => page.items);
  given(judgeDistinctSequences(items).problems.length === 0, 'two mentions have one sequence');
  return items;
}
