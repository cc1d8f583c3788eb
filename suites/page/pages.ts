import { check, type Check } from '../../harness/check/check.ts';
import { principalsOf } from '../../harness/stream/identities.ts';
import { showing, type StreamView } from '../../harness/stream/stream-view.ts';
import { judgeNothingMore, judgeTheEnd } from '../arrange/channel-read/judging.ts';
import { channelNeeds, channelSeries } from '../arrange/channel-read/series.ts';
import { seekListed } from '../arrange/mentions/listed.ts';
import { mention, mentionNeeds, type Mentioning } from '../arrange/mentions/mentioning.ts';
import { quietMentions } from '../arrange/mentions/series.ts';
import { arranged } from '../arrange/or-else.ts';
import { agentTarget } from '../arrange/send/proof.ts';

const atTheEnd = [
  'page.has-more-while-items-remain',
  'page.has-more-ends-with-the-items',
  'page.empty-page-moves-on',
] as const;

/** What a page says of what follows. */
export const pageFieldChecks: readonly Check[] = [
  // page.has-more-while-items-remain: `has_more` is true as long as matching items lie beyond the page.
  check(
    'page.has-more-up-to-the-last-message',
    {
      title: 'has_more is true as long as a message lies beyond the page, even a single one, and no longer',
      clauses: atTheEnd,
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
      title:
        'has_more is true as long as a mention lies beyond the page, even a single one, and no longer, also behind one that names its reader in several ways',
      clauses: atTheEnd,
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
      await judgeNothingMore(context, feed, await namedInSeveralWays(context, feed, tail));
    },
  ),
];

/**
 * The places of the last two mentions once another one has come, which names the author's agent and who stands behind it: several matches
 * and one mention. No places where nobody is known to stand there, or where it does not come, or more than once.
 */
async function namedInSeveralWays(
  context: Mentioning,
  feed: StreamView,
  tail: readonly bigint[],
): Promise<readonly bigint[]> {
  const { author, channel, identities, reader } = context;
  const before = tail.at(-1);
  // Who is listed with what, and whether a message takes such targets together, are other questions.
  const listed = await arranged(async () => {
    const targets = principalsOf(await identities.provenance(author));
    if (targets.length < 2) return [];
    const sent = await mention(context, { from: reader, channelId: channel.id, targets });
    const { found } = await seekListed(context, feed, before, channel.arrivals([sent]));
    const { items } = await feed.walk(before);
    // How often a message is listed that matches several times is left open.
    return items.filter(showing(sent)).length === 1 ? found : [];
  });
  const place = listed?.[0]?.sequence;
  return before === undefined || place === undefined ? [] : [before, place];
}
