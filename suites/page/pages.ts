import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import type { Always } from '../../harness/check/context.ts';
import type { StreamView } from '../../harness/stream/stream-view.ts';
import { unmet } from '../../harness/verdict/outcome.ts';
import { judgeTheEnd } from '../arrange/channel-read/judging.ts';
import { channelNeeds, channelSeries } from '../arrange/channel-read/series.ts';
import { settleSurely } from '../arrange/eventually.ts';
import { seekListed } from '../arrange/mentions/listed.ts';
import { mention, mentionNeeds, principalsOf } from '../arrange/mentions/mentioning.ts';
import { quietMentions } from '../arrange/mentions/series.ts';

/** What a page says of what follows. */
export const pageFieldChecks: readonly Check[] = [
  // page.has-more-while-items-remain: `has_more` is true as long as matching items lie beyond the page.
  check(
    'page.has-more-up-to-the-last-message',
    {
      title: 'has_more is true as long as a message lies beyond the page, even a single one',
      clauses: ['page.has-more-while-items-remain', 'page.empty-page-moves-on'],
      arranges: ['page.has-more-only-while-items-remain'],
      needs: channelNeeds,
      isExclusive: true,
    },
    async (context) => {
      const { channel } = context;
      const tail = await judgeTheEnd(context, channel, (await channelSeries(context)).from);
      await readTheEnd(context, channel, tail);
    },
  ),
  // page.has-more-while-items-remain: `has_more` is true as long as matching items lie beyond the page.
  check(
    'page.has-more-up-to-the-last-mention',
    {
      title: 'has_more is true as long as a mention lies beyond the page, even a single one',
      clauses: ['page.has-more-while-items-remain', 'page.empty-page-moves-on'],
      arranges: ['page.has-more-only-while-items-remain'],
      needs: mentionNeeds,
      // Whatever is written in the workspace may move the end of a feed.
      isExclusive: true,
    },
    async (context) => {
      const { author, channel, identities, observe, reader } = context;
      const { after } = await quietMentions(context);
      const feed = await context.feedOf(author, reader);
      await judgeTheEnd(context, feed, after);
      // The last one matches in every way there is, and messages that match in none lie beyond it.
      const naming = { from: reader, channelId: channel.id };
      const last = await mention(context, {
        ...naming,
        targets: principalsOf(await identities.provenance(author)),
      });
      const listed = await seekListed(context, feed, after, channel.arrivals([last]));
      const unnamed = [await mention(context, { ...naming, targets: [] })];
      await channel.arrivals(unnamed);
      const own = listed.found[0]?.sequence ?? unmet('the feed does not list a mention');
      const items = (await feed.walk(after)).items.flatMap(({ sequence }) => sequence ?? []);
      await readTheEnd(context, feed, [...items.filter((sequence) => sequence < own), own]);
      const { hasMore } = await feed.readPage(undefined, 1);
      observe('page.has-more-without-more', 'a newest page of one', `has_more ${String(hasMore)}`);
    },
  ),
];

/** Pages of one and of three that end exactly at the last item, and well after them one that tells that it was the last. */
async function readTheEnd(
  context: Pick<Always, 'surelySettledMs' | 'sleep'>,
  stream: StreamView,
  places: readonly bigint[],
): Promise<void> {
  for (const count of [1, 3]) {
    const before = places.at(-1 - count);
    if (before !== undefined) await stream.readPage(before, count);
  }
  await settleSurely(context);
  await stream.readPage(places.at(-2), 100);
}
