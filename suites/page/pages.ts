import { check, type Check } from '../../harness/check/check.ts';
import { judgeTheEnd } from '../arrange/channel-read/judging.ts';
import { channelNeeds, channelSeries } from '../arrange/channel-read/series.ts';
import { mentionNeeds } from '../arrange/mentions/mentioning.ts';
import { quietMentions } from '../arrange/mentions/series.ts';

/** What a page says of what follows. */
export const pageFieldChecks: readonly Check[] = [
  // page.has-more-while-items-remain: `has_more` is true as long as matching items lie beyond the page.
  check(
    'page.has-more-up-to-the-last-message',
    {
      title: 'has_more is true as long as a message lies beyond the page, even a single one',
      clauses: ['page.has-more-while-items-remain', 'page.empty-page-moves-on'],
      needs: channelNeeds,
      isExclusive: true,
    },
    async (context) => {
      const { channel, observe } = context;
      const tail = await judgeTheEnd(context, channel, (await channelSeries(context)).from);
      const { hasMore } = await channel.readPage(tail.at(-2), 1);
      const name = 'a full page that ends at the last message';
      observe('page.has-more-without-more', name, `has_more ${String(hasMore)}`);
    },
  ),
  // page.has-more-while-items-remain: `has_more` is true as long as matching items lie beyond the page.
  check(
    'page.has-more-up-to-the-last-mention',
    {
      title: 'has_more is true as long as a mention lies beyond the page, even a single one',
      clauses: ['page.has-more-while-items-remain', 'page.empty-page-moves-on'],
      needs: mentionNeeds,
      // Whatever is written in the workspace may move the end of a feed.
      isExclusive: true,
    },
    async (context) => {
      const { after } = await quietMentions(context);
      await judgeTheEnd(context, await context.feedOf(context.author, context.reader), after);
    },
  ),
];
