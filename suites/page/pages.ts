import { check, type Check } from '../../harness/check/check.ts';
import { judgeNothingMore, judgeTheEnd } from '../arrange/channel-read/judging.ts';
import { channelNeeds, channelSeries } from '../arrange/channel-read/series.ts';
import { mention, mentionNeeds } from '../arrange/mentions/mentioning.ts';
import { quietMentions } from '../arrange/mentions/series.ts';
import { agentTarget } from '../arrange/send/proof.ts';

/** What a page says of what follows. */
export const pageFieldChecks: readonly Check[] = [
  // page.has-more-while-items-remain: `has_more` is true as long as matching items lie beyond the page.
  check(
    'page.has-more-up-to-the-last-message',
    {
      title: 'has_more is true as long as a message lies beyond the page, even a single one, and no longer',
      clauses: [
        'page.has-more-while-items-remain',
        'page.has-more-ends-with-the-items',
        'page.empty-page-moves-on',
      ],
      needs: channelNeeds,
      isExclusive: true,
    },
    async (context) => {
      const { channel } = context;
      const tail = await judgeTheEnd(context, channel, (await channelSeries(context)).from);
      await judgeNothingMore(context, channel, tail);
    },
  ),
  // page.has-more-while-items-remain: `has_more` is true as long as matching items lie beyond the page.
  check(
    'page.has-more-up-to-the-last-mention',
    {
      title: 'has_more is true as long as a mention lies beyond the page, even a single one, and no longer',
      clauses: [
        'page.has-more-while-items-remain',
        'page.has-more-ends-with-the-items',
        'page.empty-page-moves-on',
      ],
      needs: mentionNeeds,
      // Whatever is written in the workspace may move the end of a feed.
      isExclusive: true,
    },
    async (context) => {
      const { after } = await quietMentions(context);
      const { author, channel, reader } = context;
      const feed = await context.feedOf(author, reader);
      const tail = await judgeTheEnd(context, feed, after);
      // What comes after its end and names somebody else is no more of this feed.
      const targets = [await agentTarget(context, reader)];
      await channel.arrival(await mention(context, { from: author, channelId: channel.id, targets }));
      await judgeNothingMore(context, feed, tail);
    },
  ),
];
